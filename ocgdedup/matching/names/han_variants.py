"""Forms of one Chinese character: the simplified, the traditional and the Japanese one.

The player 柯潔 is 柯洁 in simplified characters; 渡邊 is 渡辺 in Japan. A table of characters that
occur in names, no more: what is not in it is compared as it is. Pairs that are two characters in
names are left out, though a simplified text may write one for the other: 于 and 於, 余 and 餘,
范 and 範, 升 and 昇, 志 and 誌.

Such facts are published in Unicode's Unihan database: kSimplifiedVariant, kTraditionalVariant and
kZVariant. This table was written for names, and compared with a list of players in both forms.
"""

from __future__ import annotations

import unicodedata

# The forms of one character stand together, the simplified one first.
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
"""
_CANONICAL = {
    ord(other): forms[0] for forms in _FORMS.split() for other in forms[1:] if other != forms[0]
}


def one_form(text: str) -> str:
    """Return the text with each character that has several forms in the simplified one."""
    return unicodedata.normalize("NFKC", text).translate(_CANONICAL)
