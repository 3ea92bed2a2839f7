# ruff: noqa: SIM905 (word lists read and change best as words)
"""The word lists of the keyword arm: function words that say nothing about what a text is about.

Negations (不, 没, 别, not, no, never, don't …) and modal words that are also names or months (may, will) are
no stop words: rules that look at tokens need them.
"""

from typing import Final

STOP_WORDS_EN: Final = frozenset(
    """
    a an the and or but if then than so as of at by for with about into onto from to in on out up down over under
    again further once here there all any both each few more most other some such only own same too very just
    i me my mine myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves this that these those
    am is are was were be been being have has had having do does did doing done would should could can
    what which who whom whose when where why how
    im ive id ill youre youve youd youll hes shes weve wed theyre theyve theyd theyll thats whats lets
    also because while during until between through
    """.split()
)

STOP_WORDS_ZH: Final = frozenset(
    """
    的 地 得 了 着 过 吗 呢 吧 啊 呀 嘛 哦 噢 嗯 哈 啦 呗 么 是 在 有 和 与 及 或 而 且 但 就 都 也 还 又 很 太 把 被 给
    让 从 向 对 于 以 为 之 其 这 那 哪 谁 我 你 您 他 她 它 们 我们 你们 您们 他们 她们 它们 咱 咱们 自己
    这个 那个 哪个 这些 那些 哪些 这里 那里 哪里 这样 那样 怎样 怎么 怎么样 什么 为什么 多少 几 如何 是否 是不是 有没有
    因为 所以 但是 然后 而且 或者 以及 如果 虽然 一个 一些 一下 一种 请问 请 可以 能 会 要 个
    """.split()
)

STOP_WORDS: Final = STOP_WORDS_EN | STOP_WORDS_ZH
"""Tokens that are dropped on both sides, unless a text has no others."""
