"""What a number is called in the words just before and after it."""

from __future__ import annotations

import re
from typing import Final

_LOOK_BACK: Final = 32
_LOOK_AHEAD: Final = 12

_ORDER: Final = re.compile(
    r"(?:第|订单|单号|运单|快递|物流|工单|流水|编号|序列号|型号|版本|批次|批号|发票|合同|案件|票号|条码|货号"
    r"|(?<![a-z])(?:orders?|tickets?|invoices?|tracking|parcel|shipment|serial|case|sku|refs?|reference|version|build"
    r"|part|batch|isbn|imei|barcode|transaction|po))"
    r"(?:号码?|编号|单号|代码|[ _-]?(?:numbers?|no\.?|id|code))?[\s:#=\"'是为()-]{0,4}(?:is |are )?$",
    re.IGNORECASE,
)
_PHONE: Final = re.compile(
    r"(?:(?:电话|手机|座机|固话|联系方式|热线|拨打|致电|打给|(?<![a-z])(?:phones?|tel|telephone|mobile|cell(?:phone)?|fax)(?![a-z])"
    r"|(?<![a-z])(?:my|his|her|their|your|our) (?:new |home |work |office )?number)[^\d,;.!?。\ue000]{0,16}"
    r"|(?<![a-z\\])(?:call|text|dial|ring|sms|whatsapp|reach)(?: (?:me|him|her|us|them))?(?: (?:at|on))?)[\s:+(]{0,3}$",
    re.IGNORECASE,
)
_QUANTITY: Final = re.compile(
    r"\s?(?:元|块|万|亿|美元|美金|人次|人|次|个|件|条|行|字节|字|年|%|kg|kb|mb|gb|ms|bytes?\b|users?\b|people\b|rows?\b|items?\b"
    r"|dollars?\b|yuan\b|rmb\b|usd\b|cny\b|eur\b)",
    re.IGNORECASE,
)
_CURRENCY: Final = re.compile(r"[$¥€£][\s]?$|(?:rmb|usd|cny|eur)\s?$", re.IGNORECASE)


def names_an_order(text: str, start: int) -> bool:
    """Whether the words before ``start`` announce the number of an order, a parcel, a version and so on."""
    return bool(_ORDER.search(text[max(0, start - _LOOK_BACK) : start]))


def names_a_phone(text: str, start: int) -> bool:
    """Whether the words before ``start`` announce a telephone number."""
    return bool(_PHONE.search(text[max(0, start - _LOOK_BACK) : start]))


def is_amount(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` has a currency before it or a unit behind it."""
    before = text[max(0, start - 5) : start]
    return bool(_CURRENCY.search(before) or _QUANTITY.match(text[end : end + _LOOK_AHEAD]))
