"""Chinese word segmentation: jieba with its own dictionary, loaded once, on first use, without a disk cache."""

import functools
import threading

import jieba

_LOAD_LOCK = threading.Lock()


def segment_han(run: str) -> list[str]:
    """Return the words of a run of Han ideographs in reading order, compounds preceded by their parts.

    "北京大学生" gives 北京, 大学, 学生, 大学生. The same run gives the same words in every process.
    """
    with _LOAD_LOCK:
        tokenizer = _tokenizer()
    return [word for word in tokenizer.cut_for_search(run, HMM=True) if word.strip()]


@functools.cache
def _tokenizer() -> "jieba.Tokenizer":
    # A private instance: `jieba.add_word` anywhere in the process must not change what stored tokens mean. The
    # dictionary is read straight from the package: jieba's own loader prefers a pickled cache in the shared
    # temporary directory, which any local user could have written.
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer
