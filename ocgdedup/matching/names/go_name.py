"""Parse the name of a Go player: remove ranks and titles, recognise teams.

Finds the name in a text of a record. go_spelling.py compares spellings, go_persons.py resolves
players.

Chinese characters are compared in one form: simplified, traditional and Japanese ones are equal.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from ocgdedup.matching.names.letters import plain_letters
from ocgdedup.matching.names.name_form import is_too_long, is_unknown
from ocgdedup.matching.names.name_words import UNKNOWN_NAMES


class GoName(NamedTuple):
    """A name of one player, or of a team.

    Fields with the names of those of NameForm mean the same. `words`: plain lower-case words (Latin
    and others) in the order written, with inner hyphens and apostrophes; a name in Chinese
    characters or kana is one word, with one form of each character. `is_ordered`: the first word is
    the surname. `number`: tells namesakes apart, and may be a letter: "b" of "Lee Sanghun (b)", "2"
    of "Sakaguchi Sentoku II". `han`: name in characters after a Latin name. `members`: known names
    of the players of a team. All are empty for nobody. `is_short`: too short to identify a player
    without a list.
    """

    words: tuple[str, ...] = ()
    is_ordered: bool = False
    number: str = ""
    han: str = ""
    members: tuple[GoName, ...] = ()
    is_short: bool = False

    @property
    def is_nobody(self) -> bool:
        return not self.words and not self.members


NOBODY = GoName()
# Han characters, kana and Hangul have no capitals and no spaces.
_HAN = "\u3005\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HAN_NAME = re.compile(f"[{_HAN}{_KANA}]+")
_HAN_ALONE = re.compile(f"[{_HAN}]{{2,5}}")
_IN_BRACKETS = re.compile(r"[(\[【]([^)\]】]*)[)\]】]?")
_BEHIND_LATIN = re.compile(rf"^(.*[A-Za-z.])\s*([{_HAN}]{{2,5}})\s*$")
_MARK = re.compile(r"\s*([a-zA-Z]|\d{1,2}|小|大|남|여|男|女)\s*")
_MARKS = {"남": "m", "男": "m", "여": "f", "女": "f"}
_GENERATIONS = {"jr": "2", "junior": "2", "sr": "1", "senior": "1"}
_ROMAN = "I II III IV V VI VII VIII IX X"
_TEAM = re.compile(r"\s+(?:&|\+|and|und|et|vs?\.?)\s+|\s*[&+;]\s*|\s+/\s+")

_SPELT_NUMBERS = "sho|ni|san|yon|yo|go|roku|nana|hachi|ku"
_RANK = re.compile(
    r"[\s,(\[]*\b(?:\d{1,2}(?:st|nd|rd|th)?[\s-]*(?:dan|d|p|pro|k|kyu|kyuu|kup|a|ama)(?:[\s-]*"
    rf"(?:pro|professional|amateur|ama|\?|\*))?|(?:{_SPELT_NUMBERS})-?dan|(?:shi|shichi|kyu)-dan"
    r"|(?:pro|amateur|ama)\b)\b[\s)\]?*.]*$",
    re.IGNORECASE,
)
_HAN_RANK = re.compile("[\\s,]*(?:[0-9一二三四五六七八九]+|初)\\s*(?:段|단|级|級|급)\\s*$")
_TITLES = (
    "meijin|honinbo|hon'inbo|kisei|judan|oza|gosei|tengen|agon|kakusei|women's|woman's|female"
    "|honorary|former|ex|guksu|kuksu|myeongin|wangwi|mingren|tianyuan|qisheng|okinaza|kiseong"
)
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)\s+", re.IGNORECASE)
_TITLE = re.compile(rf"(?:\d+(?:st|nd|rd|th)|{_TITLES})", re.IGNORECASE)
_ORDINAL_TITLE = re.compile(rf"\s\d+(?:st|nd|rd|th)(?:[\s/]+(?:{_TITLES}))+\s*$", re.IGNORECASE)
_HAN_TITLE = re.compile("(?:名誉|永世)?(?:名人|本因坊|棋圣|碁圣|十段|王座|天元|国手)$")
_WORD = re.compile(r"[^\W\d_]+(?:['-]+[^\W\d_]+)*'?\.?|\d+")
_APOSTROPHES = str.maketrans(dict.fromkeys("\u2019\u2018`\u02bc\u00b4\u02bb\u2032", "'"))
# "CrazyStone", "zen19d": nicknames and programs, which one word identifies.
_HANDLE = re.compile(r"\S*(?:[a-z][A-Z]|\d)\S*")
_NOBODY = frozenset(
    ("黑", "黒", "白", "黑棋", "白棋", "无名", "無名", "佚名", "不明", "未知", "匿名", "흑", "백")
)


# Two or more words of two or more letters, which need no other test than _ODD_WORDS.
_PLAIN = re.compile("[A-Za-z]{2,}(?:['-][A-Za-z]+)*(?: [A-Za-z]{2,}(?:['-][A-Za-z]+)*)+")
_ODD_WORDS = (
    frozenset(_TITLES.split("|"))
    | frozenset(_ROMAN.lower().split())
    | UNKNOWN_NAMES
    | {"dan", "pro", "amateur", "ama", "and", "und", "et", "vs", "jr", "sr", "junior", "senior"}
    | {f"{number}-dan" for number in _SPELT_NUMBERS.split("|")}
    | {f"{number}dan" for number in _SPELT_NUMBERS.split("|")}
)


@lru_cache(maxsize=1 << 14)
def go_name(text: str) -> GoName:
    """Parse a name; return NOBODY for placeholders and too long names."""
    if is_too_long(text):
        return NOBODY
    if _PLAIN.fullmatch(text):
        words = text.lower().split()
        if _ODD_WORDS.isdisjoint(words) and "".join(words) not in UNKNOWN_NAMES:
            return GoName(tuple(words))  # most names
    plain = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).strip()
    members = _members(plain)
    if len(members) > 1:
        named = tuple(name for member in members if not (name := _one_name(member)).is_nobody)
        return GoName(members=named, is_short=len(named) < len(members)) if named else NOBODY
    return _one_name(plain)


def _members(text: str) -> list[str]:
    """Return the names of a team; for one player, the text unchanged."""
    parts = [part for part in _TEAM.split(text) if part.strip()]
    if len(parts) > 1:
        return parts
    parts = re.split(r"[・、]", text)
    if len(parts) > 1 and all(_HAN_ALONE.fullmatch(_without_ranks(part)) for part in parts):
        return parts
    listed = [part.strip() for part in text.split(",")]
    names = [part for part in listed if _without_ranks(part)]
    # One comma may follow a surname, two hardly; "Cho Chikun, 9p" is one player.
    if len(names) > 2 and all(" " in name or "-" in name for name in names[:2]):
        return names
    # Each player has a rank: "Park Jeong-hwan 9d, Kim Jiseok 9d".
    if len(names) == len(listed) > 1 and all(_without_ranks(name) != name for name in names):
        return names
    return [text]


def _one_name(text: str) -> GoName:
    text, mark, han = _without_brackets(text)
    text = _without_ranks(text)
    if text in _NOBODY or is_unknown(text):
        return NOBODY
    text, is_ordered = _surname_first(text)
    if _HAN_NAME.fullmatch(re.sub(r"[\s・·]", "", text)):
        return _in_characters(text, mark)
    if " " not in text.strip() and _HANDLE.fullmatch(text) and not text.isupper():
        return GoName((text.lower(),), number=mark)
    ordinal = _ORDINAL.match(text)
    if ordinal:
        text = text[ordinal.end() :]
        mark = mark or ("" if _TITLE.match(text) else ordinal[1])
    words = _WORD.findall(text)
    mark = mark or ".".join(word for word in words if word.isdigit())  # "GNU Go 3.8"
    words = [word for word in words if not word.isdigit()]
    words, mark = _without_generation(words, mark)
    words = _without_titles(words)
    if words and not is_ordered:
        words = [word for word in words if word.lower() not in ("mr.", "mrs.", "dr.")]
    small = tuple(_small(word) for word in words)
    small = tuple(word for word in small if word)
    is_short = sum(not _is_initial(word) for word in words) < 2
    if len(small) == 1 and _is_hangul(small[0]):
        is_short = len(small[0]) < 2
    return GoName(small, is_ordered, mark, han, is_short=is_short)


def _is_hangul(word: str) -> bool:
    return all("\uac00" <= char <= "\ud7a3" for char in word)


def _is_initial(word: str) -> bool:
    """Tell if a word is an initial: "T." of "T. Ishikawa"; "O" and "U" are surnames."""
    bare = word.rstrip(".")
    return len(bare) == 1 and (word.endswith(".") or bare.upper() not in "OUIE")


def _small(word: str) -> str:
    # NFKC composes the breve of McCune-Reischauer into a letter of its own.
    text = word.rstrip(".").replace("ŏ", "eo").replace("ŭ", "eu")
    if _is_hangul(text):
        return text
    return unicodedata.normalize("NFC", plain_letters(text)).lower()


def _in_characters(text: str, mark: str) -> GoName:
    name = one_form(re.sub(r"[\s・·]", "", text))
    stripped = _HAN_TITLE.sub("", name)
    name = stripped if len(stripped) > 1 else name
    return GoName((name,), number=mark, is_short=len(name) < 2)


def _without_brackets(text: str) -> tuple[str, str, str]:
    """Return the text without brackets, and a mark and a name in characters from the brackets."""
    mark = han = ""
    for inside in _IN_BRACKETS.findall(text):
        if _MARK.fullmatch(inside):
            mark = inside.strip().lower()
            mark = _MARKS.get(mark, mark)
        elif re.fullmatch(f"[{_HAN}]{{2,5}}", inside.strip()):
            han = one_form(inside.strip())
    text = _IN_BRACKETS.sub(" ", text) if text[:1] not in "([" else text.strip("()[] ")
    behind = _BEHIND_LATIN.match(text)
    if behind:
        text, han = behind[1], han or one_form(behind[2])
    return text.strip(), mark, han


def _without_ranks(text: str) -> str:
    """Remove ranks from the end, and titles after a comma."""
    before = None
    while text != before:
        before = text
        text = _HAN_RANK.sub("", _RANK.sub("", text)).strip(" ,/")
        text = _ORDINAL_TITLE.sub("", text)  # "Sakata Eio 23rd Honinbo"
        head, comma, tail = text.rpartition(",")
        pieces = [piece for piece in re.split(r"[\s/]+", tail) if piece]
        if comma and pieces and all(_TITLE.fullmatch(piece) for piece in pieces):
            text = head.strip()
    return text


def _surname_first(text: str) -> tuple[str, bool]:
    """Return the text without a comma after the surname, and tell if it had one."""
    before, comma, after = text.partition(",")
    if not comma or not before.strip() or not after.strip():
        return text.replace(",", " "), False
    if re.fullmatch(r"\s*(?:jr|sr)\.?\s*", after, re.IGNORECASE):
        return f"{before} {after}", False
    return f"{before} {after.replace(',', ' ')}", True


def _without_generation(words: list[str], mark: str) -> tuple[list[str], str]:
    """Remove the number of a namesake from the end: "II", "IX", "jr."."""
    last = words[-1] if len(words) > 2 else ""
    number = _ordinal(last) or _GENERATIONS.get(last.rstrip(".").lower(), "")
    if not number or (len(last) == 1 and last != "I"):
        return words, mark
    return words[:-1], mark or number


def _ordinal(word: str) -> str:
    """Return the value of a Roman numeral in capitals; empty for other words."""
    numerals = _ROMAN.split()
    return str(numerals.index(word) + 1) if word in numerals else ""


def _without_titles(words: list[str]) -> list[str]:
    """Remove titles from both ends if two words are left.

    Honinbo and Meijin beside a single word are part of the name of a player of the past: Honinbo
    Shusaku.
    """
    while len(words) > 2 and _TITLE.fullmatch(words[-1]):
        words = words[:-1]
    while len(words) > 2 and _TITLE.fullmatch(words[0]):
        words = words[1:]
    return words


# --- simplified, traditional and Japanese characters ----------------------------------------------


# The forms of each character in a row, the simplified form first: the player 柯潔 is 柯洁 in
# simplified characters; 渡邊 is 渡辺 in Japan. Only characters that occur in names; others are
# compared unchanged. Pairs that are two characters in names are left out, though simplified texts
# may replace one by the other: 于 and 於, 余 and 餘, 范 and 範, 升 and 昇, 志 and 誌. Unicode's
# Unihan database has such facts (kSimplifiedVariant, kTraditionalVariant, kZVariant). This table
# was written for names, and compared with a list of players in both forms.
_FORMS = """
爱愛 笔筆 边邊辺 变變変 宾賓 滨濱浜 别別 苍蒼 层層 长長 肠腸 畅暢 场場 车車 陈陳 诚誠 称稱 驰馳
齿齒歯 冲沖 处處処 传傳伝 创創 纯純 词詞 从從 聪聰聡 丛叢 达達 带帶帯 单單 胆膽 党黨 导導
岛島嶋嶌 灯燈 邓鄧 点點 电電 东東 冻凍 动動 栋棟 独獨 断斷 对對対 夺奪 恶惡悪 尔爾 儿兒児 发發発
贰貳弐 饭飯 飞飛 风風 枫楓 锋鋒 冯馮 凤鳳 辅輔 妇婦 富冨 刚剛 钢鋼 冈岡 高髙 鸽鴿 阁閣 个個 给給
宫宮 巩鞏 贡貢 沟溝 构構 顾顧 关關関 观觀観 馆館舘 贯貫 广廣広 归歸帰 规規 龟龜亀 贵貴 国國 过過
韩韓 汉漢 号號 鹤鶴 贺賀 黑黒 恒恆 红紅 鸿鴻 后後 沪滬 护護 华華 桦樺 画畫 怀懷 环環 还還 换換
焕煥 黄黃 辉輝 会會 惠恵 绘繪絵 获獲 击擊撃 鸡雞鶏 积積 极極 绩績 济濟済 纪紀 级級 计計 继繼継
际際 价價 贾賈 坚堅 间間 监監 俭儉 见見 荐薦 剑劍剣 键鍵 舰艦 将將 蒋蔣 奖獎 讲講 骄驕 桥橋 杰傑
洁潔 结結 节節 阶階 紧緊 锦錦 进進 尽盡 劲勁 经經経 惊驚 径徑 静靜 镜鏡 旧舊 举舉挙 军軍 钧鈞
骏駿 俊儁 开開 凯凱 铠鎧 课課 垦墾 宽寬寛 矿礦 况況 阔闊 来來 莱萊 赖頼賴 兰蘭 岚嵐 蓝藍 览覽覧
濑瀨瀬 乐樂楽 泪淚涙 离離 礼禮 丽麗 历歷歴 励勵 隶隸隷 连連 莲蓮 联聯 练練 恋戀 凉涼 粮糧 两兩両
辽遼 邻鄰隣 临臨 灵靈霊 铃鈴 岭嶺 龄齡齢 刘劉 浏瀏 龙龍竜 娄婁 楼樓 卢盧 芦蘆 庐廬 陆陸 录錄録
绿綠緑 鲁魯 铝鋁 伦倫 纶綸 轮輪 论論 罗羅 骆駱 吕呂 马馬 玛瑪 买買 迈邁 麦麥 满滿満 贸貿 么麼
门門 闷悶 梦夢 弥彌 绵綿 缅緬 庙廟 灭滅 铭銘 鸣鳴 亩畝 谋謀 难難 鸟鳥 宁寧 农農 浓濃 钮鈕 诺諾
欧歐 鸥鷗鴎 盘盤 庞龐 鹏鵬 频頻 评評 苹蘋 颇頗 谱譜 齐齊斉 骑騎 岂豈 启啟啓 气氣気 迁遷 谦謙
签簽 钱錢銭 乾亁 潜潛 强強 墙牆 乔喬 侨僑 亲親 钦欽 轻輕軽 倾傾 庆慶 琼瓊 穷窮 区區 驱驅駆
权權権 劝勸 确確 让讓譲 饶饒 热熱 荣榮栄 绒絨 锐銳鋭 闰閏 润潤 萨薩 赛賽 伞傘 桑桒 涩澀 杀殺
陕陝 赏賞 烧燒焼 绍紹 设設 绅紳 审審 声聲 胜勝 圣聖 绳繩縄 师師 诗詩 时時 实實実 势勢 适適
释釋釈 寿壽 书書 枢樞 树樹 双雙 顺順 硕碩 丝絲糸 颂頌 苏蘇 肃肅粛 岁歲歳 孙孫 损損 笋筍 锁鎖
台臺 态態 滩灘 谈談 谭譚 汤湯 涛濤 腾騰 体體 铁鐵鉄 厅廳庁 听聽 铜銅 统統 图圖図 团團団 万萬
湾灣 网網 韦韋 为爲為 围圍囲 维維 伟偉 纬緯 卫衛衞 温溫 闻聞 稳穩穏 问問 涡渦 务務 无無 吴吳呉
雾霧 习習 玺璽 戏戲戯 细細 狭狹 侠俠 峡峽 贤賢 显顯顕 县縣県 宪憲 献獻 线線 乡鄉郷 详詳 响響
项項 萧蕭 销銷 晓曉暁 啸嘯 协協 写寫 谢謝 锌鋅 兴興 许許 叙敘 绪緒 续續続 轩軒 选選 绚絢 学學
勋勲勳 询詢 寻尋 训訓 逊遜 亚亞亜 严嚴 岩巖巌 颜顏顔 艳艷艶 验驗験 阳陽 扬揚 杨楊 养養 样樣様
尧堯尭 药藥薬 爷爺 叶葉 业業 页頁 烨燁 医醫 仪儀 义義 艺藝芸 亿億 忆憶 谊誼 译譯訳 异異 阴陰
荫蔭 银銀 隐隱隠 樱櫻桜 鹰鷹 莹瑩 营營 颖穎頴 应應応 拥擁 涌湧 优優 忧憂 犹猶 邮郵 渔漁 鱼魚
与與 屿嶼 语語 预預 誉譽 园園 员員 圆圓円 缘緣縁 远遠 愿願 约約 阅閱 跃躍 悦悅 云雲 运運 韵韻
杂雜 赞贊 脏臟 择擇択 泽澤沢 贼賊 增増 闸閘 斋齋斎 战戰戦 张張 赵趙 珍珎 贞貞 真眞 针針 侦偵
镇鎮鎭 阵陣 争爭 铮錚 证證 郑鄭 织織 职職 执執 纸紙 帜幟 质質 钟鐘鍾 终終 种種 众眾衆 轴軸 诸諸
烛燭 嘱囑 筑築 铸鑄鋳 专專 转轉転 庄莊荘 装裝 壮壯 状狀 资資 总總総 邹鄒 组組 钻鑽 郎郞 清淸
渊淵渕 崎﨑 德徳 丰豐豊 槙槇 薮藪 遥遙 祯禎 穗穂 稻稲 仓倉 户戶戸 复復 涉渉 娱娯 桧檜 祷禱 桢楨
莺鶯 柽檉 轰轟 胁脇 泷瀧滝 绫綾 纲綱 绢絹 纺紡 缝縫 缔締 纹紋 纱紗 纳納 钏釧 铉鉉 铢銖 铨銓 锡錫
锭錠 镛鏞 镐鎬 锜錡 钰鈺 钊釗 锴鍇 镕鎔 骐騏 骥驥 骋騁 骅驊 驹駒 驿驛駅 骞騫 琏璉 瑶瑤 玮瑋 珑瓏
琅瑯 珲琿 璎瓔 玑璣 荧熒 萤螢蛍 蕴蘊 苇葦 荆荊 蔼藹 萝蘿 葱蔥 诏詔 诣詣 谧謐 谅諒 谕諭 谛諦 谏諫
谟謨 谨謹 诤諍 调調 议議 认認 记記 讯訊 讷訥 訚誾 该該 谌諶 阐闡 闯闖 闽閩 闵閔 闾閭 阎閻 阙闕
阚闞 闲閑閒 闳閎 顿頓 颀頎 颉頡 颐頤 颢顥 额額 题題 飏颺 飒颯 飘飄 饰飾 鸾鸞 鹃鵑 鹄鵠 鹊鵲 鲍鮑
鲲鯤 鲤鯉 鲜鮮 鲸鯨 龚龔 辆輛 辕轅 辙轍 辚轔 轶軼 轲軻 辑輯 辈輩 恳懇 恺愷 怿懌 悯憫 惬愜 笃篤
彻徹 曹曺 乃廼
毕畢 贝貝 邬鄔 缪繆 储儲 乌烏 栾欒 厉厲 聂聶 盖蓋 锵鏘 铎鐸 骁驍 灏灝 炽熾 烁爍 焘燾
炀煬 瑷璦 瓒瓚 祎禕 禄祿 箫簫 绮綺 绾綰 缨纓 缤繽 虬虯 诠詮 谚諺 赟贇 赐賜 辂輅 钲鉦
铄鑠 锟錕 锷鍔 镒鎰 镭鐳 隽雋 雏雛 霁霽 靓靚 韧韌 顶頂 顼頊 驭馭 鹭鷺 祢禰 嵘嶸 峥崢
峤嶠 巅巔 帅帥 弯彎 抚撫 拢攏 挚摯 昼晝 晖暉 晔曄 旸暘 昙曇 枭梟 柠檸 栀梔 榄欖 泾涇
浅淺 浒滸 涟漣 滢瀅 潇瀟 澜瀾 濒瀕 炉爐 狮獅 畴疇 皑皚 睐睞 砺礪 稣穌 竞競 筝箏 篮籃
籁籟 纤纖 纾紓 绎繹 绛絳 缇緹 缜縝 羁羈 翘翹 耸聳 胧朧 脉脈 舆輿 茎莖 荡蕩 荪蓀 莅蒞
蓥鎣 虑慮 蝉蟬 衔銜 觅覓 觉覺覚 沧滄 窦竇 仑侖 炜煒 晋晉 韬韜 俪儷 兑兌 净淨浄 凑湊
凛凜 刍芻 厦廈 咏詠 坛壇 垒壘 埙塤 备備 奋奮 奂奐 姗姍 娅婭 娇嬌 娴嫻 婴嬰 宝寶寳 尘塵
弹彈弾 恽惲 扩擴 拟擬 挥揮 揽攬 敌敵 斓斕 旷曠 晕暈 机機 条條 标標 栏欄 桨槳 槛檻 欢歡
沣灃 沥瀝 沦淪 泸瀘 测測 漓灕 潍濰 灿燦 烟煙 牍牘 牵牽 现現 琐瑣 盏盞 矫矯 砚硯 础礎
窑窯 竖豎 笼籠 筹籌 简簡 络絡 绝絕 绣繡 绯緋 绰綽 绶綬 缎緞 编編 芜蕪 茧繭 蔷薔 虏虜
补補 触觸 讨討 访訪 识識 试試 说說 请請 读讀 谒謁 赋賦 赠贈 赢贏 践踐 踊踴 踪蹤 轨軌
软軟 载載 较較 输輸 辞辭 迟遲 迹跡 逻邏 遗遺 郧鄖 郦酈 钓釣 钗釵 钥鑰 链鏈 锤錘 锰錳
镁鎂 镗鏜 镯鐲 镰鐮 闪閃 陇隴 险險険 霭靄 韫韞 领領 颗顆 饮飲 驯馴 驴驢 骠驃 骧驤 鳌鰲
鳞鱗 鸠鳩 鸳鴛 鸯鴦 鹂鸝 费費 顽頑
"""
_CANONICAL = {
    ord(other): forms[0] for forms in _FORMS.split() for other in forms[1:] if other != forms[0]
}


def one_form(text: str) -> str:
    """Return the text with characters in their simplified forms."""
    return unicodedata.normalize("NFKC", text).translate(_CANONICAL)
