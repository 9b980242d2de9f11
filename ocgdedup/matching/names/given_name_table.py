"""Given names of chess players: spellings, forms and short forms of each name.

A pure table, folded to lower-case ASCII; only `given_names` should read it.

SPELLINGS: spellings of the same name, by transliteration or in another country. A line is a name,
its first word is the key; a word is in one line only.
FORMS: other names of the same person: short forms, and the name in another language. "a: b c" means
that b and c are forms of a, but not of each other; without a colon all are forms of each other. A
word may be in many lines.
NAMES: names with one spelling, listed because two known names are never a typing error.

A line never joins names that brothers or sisters may have, nor a man's name and a woman's name.
"""

from __future__ import annotations

MALE_SPELLINGS = """\
aage age
aaron aron aharon ahron
abbas abas
abdelaziz abdulaziz abdoulaziz
abdelkader abdulkadir abdelkadir abdulqadir abdulkader
abdelkarim abdulkarim abdulkareem abdelkareem
abdelrahman abdulrahman abdurrahman abdelrahmen abdurahman abdurakhman abderrahmane abdirahman \
abdrakhman
abdul abdel abdoul
abdulhamid abdelhamid
abdullah abdallah abdulla abdalla abdulah abdoullah abdollah
abdulrahim abdelrahim abdurrahim
abdumalik abdulmalik abdelmalek abdelmalik
abhijeet abhijit avijit
abhishek abhisek
abraham avraham avram abram abramo ibram
achilleas achilles achileas akhilleus
adam adams adamas
adel adil aadil
aditya adithya aaditya aditia adhithya
adolf adolph adolfs adolfas
adrian adrien adrijan adryan hadrian
adrianus adriaan
afanasy afanasi afanasiy
afonso affonso
agostinho agostino
agustin augustin agusti avgustin augustinas augustyn
ahmed ahmad achmed akhmed achmad ahamed akhmad amed
aibek aybek
aidan aiden aydan
aidar aydar aider
aidos aydos
ajay ajai
ajit ajith ajeet
akaki akaky
akash aakash
akop agop
akshay akshai
alaa ala
aladdin alaaeddin
alan allan allen alun
alastair alistair alasdair alister allister
albert albrecht alberts albertas
alec alek
alejandro alexandro
aleksandr alexander alexandr aleksander alexandre aleksandar alexandar aliaksandr aliaksander \
alyaksandr oleksandr oleksander olexandr olexander aleksandrs aleksandras alexandru alexsander \
alexsandr aleksandre alexandros aleksandros
aleksei alexei alexey aleksey alexej aleksej alexy oleksii oleksiy oleksij olexiy olexii aliaksei \
alyaksey aleksejs aleksejus
ales alesh
alexi alexie
alfons alphonse alfonsas
alfred alfreds alfredas
ali aly alli
alikhan alihan
alimzhan alimjan
alisher alicher
alojz alojzy alois aloys alojzije alojzij
alonso alonzo
amadeo amedeo amadeu
ambroise ambrose ambros ambroz
ambrosio ambrogio
amin amine ameen
amir ameer
ammar amar
amr amro amrou
anand anant ananth anantha
anastasios anastasius anastas
anatoly anatoli anatolij anatoliy anatolii anatolie anatolijs anatol anatole
andrei andrey andrej andrii andriy andrij andrejs andrejus
andrew andru
andrzej andrzei
anibal annibale hannibal
anirudh aniruddha anirudha aniruddh
anish aneesh
anton antons antonas antonius
antoni antony anthony
anuar anvar anwar anouar
archil artchil
argyrios argyris argirios
arieh aryeh arje arie
arif aref
aristeidis aristidis aristides aristide
arjan arjen
arjun arjuna
arkady arkadi arkadij arkadiy arkadii arcadi arcady arkadiusz
armand armando armands armandas
arndt arnd arnt
arnold arnolds arnoldas
arnoldo arnaldo
arseny arseni arsenij arseniy arsenii arsenijs arsenie
artashes artasches
artem artyom artiom artjom artsiom artyem artjoms artemy artemi artemiy artemii
artur arthur arturs arturas artour
arvind aravind arvindh aravindh
aryan aaryan
asaf assaf asaph
asen assen
ashish asish aashish
ashok asok
ashot achot aschot
ashraf achraf
ashwin aswin
askar asqar
atanas atanasije
atef atif
athanasios athanassios athanasius thanassis
attila atilla atila
august augusts avgust
aurel aurelian
aurelien aurelio
axel aksel
ayman aymen aiman
ayoub ayub ayyub
azat azad
aziz azeez
baadur badur
bakhtiyar bakhtiyor bahtiyar bakhtiar bakhtier baxtiyar
barnabas barnaby barnabe
barthelemy bartolome bartolomeo bartolomeu bartolomej
bartholomew bartholomaeus bartholomeus
baruch baruh
basem bassem bassim
bashir basheer bachir
bastien bastian
begzod bekzod behzod
behrooz behrouz behruz
benedikt benedict benediktas
benjamin benyamin binyamin benjamyn beniamino
benny beny
benzion bentsion
bernd bernt
bernhard bernard bernhardt bernardas
berthold bertold
besarion besiki
bharat bharath barath
bhaskar baskar
bilal belal bilel
bjorn bjoern bjarn
blagoj blagoje blagoi blagoy
blaise blas blasius
blazej blaz blazhej
bobby bobbie
bobur babur
bogdan bohdan bogdans
bohumil bogumil
bohumir bogomir
bohuslav boguslaw
bojan boyan boian
boleslav boleslaw
borge boerge
boris borys barys boriss borisas
borislav boryslav
borje boerje
bosko boshko
bozidar bozhidar
brandon brendon branden
bret brett
brian bryan brayan brayann bryant
brice bryce
bronislav bronislaw
bruno brunon
bulent buelent
burkhard burkhart burkard
calvin kalvin
cameron kameron
camilo camillo
carlo karlo
carsten karsten
cees kees
cengiz genghis
cezary cezar cesar caesar cesare
chaim haim hayim khaim hyam chaym hajim
charalampos haralambos charalambos haralampos kharalampos haralampi harlampos
charlie charley
chavdar cavdar tchavdar
chetan chethan
chingiz tchingiz shingiz
christer krister
christian kristian cristian christiaan krystian kristijan krisztian cristhian chrystian kristians \
kristijonas krystyan
christof christoph christophe kristof christoff kristoph kristoff
christos hristos khristos
ciprian cyprien cipriano
clemens klemens klemen clement clemente
colin collin colyn
connor conor conner
cornelis cornelius korneel kornelius kornel korneliusz cornelio
corrado conrado
costantino constantino
cristiano christiano
cristobal cristovao cristofol
cyril cyrill cyrille
czeslaw ceslav
damian damjan damien damyan damianos
daniel danijel danyel danniel deniel danielius daniels danyal
daniil danil danylo danila danyil danill daniils danijil
daniyar daniar doniyor doniyar
danny dany dannie
darius dariusz
dariush daryush darioush
darren daren darryn
darryl daryl
daulet davlat
davey davie
davit daviti david dawid davyd dawit dovydas davids deivid
debashis debasis
deepak dipak
deepan dipan
dejan deyan
denis dennis denys dzianis deniss denisas
derek derrick derik dereck
detlef detlev
dhruv dhruva
dietmar ditmar
dillon dylan dilan
dilshod dilshad
dimitrios dimitris dimitrius demetrios demetrius dimitros
dinesh thinesh
dinmukhamed dinmuhammed
dionysios dionisios
dirk dirck derk
djordje dorde djorde georgije djordjije
djuro djura duro
dmitry dmitri dmitriy dmitrij dmitrii dimitri dimitry dimitrij dimitriy dmytro dzmitry dmitrijs \
dmitrijus dmitro dmitrie
dominik dominic dominick dominykas
dumitru dimitrie
dusan dushan
eckhard eckhart ekkehard eckard ekkehart eckehard
eddie eddy eddi
edgar edgars edgard edgardo edgaras
edison edisson
edmund edmond edmunds edmundas
eduard edward edvard eduards eduardas edouard edvards eduart
eduardo edoardo
eduin edwin edvin edvins
eelco eelke
efim yefim jefim jefims yukhym iefim
efstathios eustathios efstatios
efstratios stratos
efthymios eftimios efthimios
egor yegor jegor iegor jegors yehor yahor egors
ehab ihab
eitan etan eytan itan
elchin eltchin
eleazar elazar
eleftherios elefterios
eli ely
eliahu eliyahu
elias eliasz eliass
elijah eliyah
eliot elliot elliott eliott
eloi eloy
elsayed alsayed
elshan elchan
eltaj eltac eltadj eltai
emad imad
emanuel emmanuel immanuel emanuil imanuel manouil emmanouil emanuele emanoil
emelian emelyan yemelyan
emil emils emilis emilijs
epameinondas epaminondas
ephraim efrain efraim
erhard erhardt
erik eric eryk erick eriks eerik eryck
erlan yerlan
ermek yermek
ernest ernests ernestas
ervin erwin ervins erwins
espen esben asbjorn asbjoern
essam issam isam
eugen eugene eugenius eugeniusz
eusebio eusebiu eusebius
evangelos evaggelos
evgeny evgeni evgenij evgeniy evgenii yevgeny yevgeni yevgeniy yevgenii evgueni eugeny evgeniu \
jewgeni jewgenij jevgeni jevgenij jevgenijs jevgenijus yevhen yevhenii yevheniy evhen evhenii \
ievgen ievgenii yauheni yauhen eugeni evgen ievgeni yevgen evgenios jevhen
ewald evald
ezequiel ezekiel yehezkel hezekiel
fabian fabien fabijan fabianus
fabrizio fabricio
fahad fahd
faisal faysal faycal feisal fayssal faizal
farhad farhod ferhad
farid fareed ferid
farrukh farruh farroukh
faruk farouk farooq faruq
fawzi fawzy
federico frederico
fedor fyodor fiodor fjodor fedir fjodors feodor fyodar
felipe filipe
felix feliks felikss feliksas
ferdinand ferdinands
ferhat farhat
fernando fernandos
finn fin
firouz firuz
florentin florentino
florian florijan
fotios photios fotis
fouad fuad
frank franck
franklin franklyn
freddie freddy fredy
frederick frederich fredrick frederic
fredrik frederik
gabriel gabryel gavriel gabrijel gabrielius gavriil
gadir qadir kadir
gaetan gaetano cayetano
gagik gaguik
garry gary garri gari
gautier gauthier
gennady gennadi gennadij gennadiy gennadii genadi genady genadij guennadi gennadijs hennadii \
hennadiy henadzi henadz genadijs genadijus ghenadie
geoff jeff
geoffrey jeffrey jeffery geffrey geoffroy jeffry
georgios jorgos yorgos giorgos
georgy georgi georgii georgiy georgij gueorgui gueorgi heorhii heorhiy heorhi georgijs georgui \
gheorghi giorgi georghi
gerald jerald geraldas
gerard girard geraerd
gerardo gherardo
gerd gert geert
gerhard gerhart gerhardt gerhards
german guerman germans
gerrit gerit
gevorg gevork kevork guevorg
giannis yannis yiannis jannis yanis
gianpaolo giampaolo
gianpiero giampiero
gijs gijsbert
gilbert gilberts
girish gireesh
gisle gisli
giuliano juliano
giulio julio
gleb hleb hlib glebs
glen glenn
gocha gotscha
gokhan goekhan
gonzalo goncalo gonzal goncal
gottfried godfrey
graham graeme
greg gregg
grigory grigori grigorij grigoriy grigorii grigorijs hryhorii hryhoriy hryhory ryhor grigor \
grigore grigorios grigoriu
gualterio valdo
guenter guenther gunter gunther
gunnar gunars gunnars
guntar guntars
guram gouram
gustav gustaw gustaf gustavs gustavas
gustave gustavo
habib habeeb
hakim hakeem
hakob hakop
hakon haakon haakan
halvard halvor hallvard
hamid hameed khamid
hamza hamzah khamza
hani hany
hansjoerg hansjorg
harald haralds haraldas
haris hariss
harish hareesh
harold haroldo
harun haroun haroon
harutyun harutiun arutyun artin
hasan hassan hasen hassane khasan khassan
hatem hatim
havard haavard
hayk haik aik hajk
haytham haitham
hazem hazim
hector ector hektor
heiko haiko heico
heinrich heinrik
helmut hellmut helmuth hellmuth
hemant hemanth
henrik henryk henriks henrikas hendrik
henrique enrique
herbert heribert herberts
herberto heriberto
herman hermann hermanas hermanis
hesham hisham hicham
hooman houman
horacio horatio orazio
hossam hussam husam
hovhannes ovanes hovanes hovannes oganes ohannes hovhanes
hrachya hrachia
hrant hrand
hubert huberts
hughes hugues
hugo ugo
huseyin husein hussein hossein huseyn husain hussain hossain hosein housseine houssein husseyn \
hoseyn hueseyin hocine
ian iain
iason jason
ibrahim ebrahim brahim ibraheem ibrahima ibragim ibrohim abrahim
ido iddo
idris idriss idrees
igor ihor ihar igors igoris
ihsan ehsan
ikrom ikram
ilias iliass
ilya ilia ilja illia illya iliya ilija ilyia
ilyas iliyas
innokenty innokenti innokentiy
ioannis ioannes
iosif iossif josif yosyp iosyf
irakli iraklii iraklij iraklis
irvin irwin irving
isa issa
isaiah isaias
isak isaac izak izaak isaak
isidro isidor isidoro isidore isidre
iskandar iskander eskandar
ismail ismayil esmail esmaeil ismaeel ismaiil ismaail
itay itai
itzhak yitzhak yitzchak
iulien yulien
ivailo ivaylo ivajlo
ivan iwan ivans ivanas
ivar ivars iver
iyad eyad
jaakko jaako
jabir jaber
jacinto hyacinth hiacynt
jacopo iacopo
jacques jaques
jafar jaafar jafer
jakhongir jahongir zhakhongir zhahongir jahangir dzhakhongir jakhangir
jakob jacob jakobs jacobus jakobus
jalal galal jelal djalal
jamal gamal jamaal djamal djamel dzhamal
jamil jameel
jamshid djamshid jamshed
jared jarred
jasper jesper
javad jawad djavad
javokhir zhavokhir javohir zhavohir
jayant jayanth
jayden jaden
jefferson jeferson
jehuda yehuda juda judah iehuda yuda
jeremy jeremi jeremie
jerome jerom hieronim
jeronimo hieronymus
jesse jessie
jimmy jimmie jimi
joachim joakim yoakim ioakim joakhim
joaquin joaquim
joel yoel joell
joerg jorg
joern jorn
joest jost
johnny jonny johnnie jonnie johny
jonas ionas jonass
jonathan jonatan johnathan jonathon yonatan jonatas yehonatan jhonatan jhonathan ionatan
jordan jorden
jorgen joergen
josef joseph jozef jozsef jusef josip josephus jossef juozas jozefs josepf
joshua josua joshuah
jovan yovan
julian julien julijan yulian
julius julijus juliusz
jurgen juergen
justin justyn justinas
kaare kare
kai kay
kairat kayrat qairat
kakha kaha
kamil camil
karapet garabed
karim kareem
karl carl karls
karthik kartik karthick kartick
karthikeyan karthikeya
kaspar caspar casper kasper kacper gaspar kaspars
kasym kassym
kazem kazim
kazimierz kazimir casimir kazimieras
kenneth kennet kennith
kevin kevyn keven
khachatur hachatur
khaled khalid halid khalit
khalil khaleel
kieran kieron
kilian killian cillian
kirill kiril kirils kyrylo kiryl kyrill kiryll kirilas
kishore kishor
kjeld keld
kjetil ketil
klaus claus klaas claes klas clas
klim klym
knut knud knuth canute
koen coen
konrad conrad konrads konradas
konstantin constantin konstantyn kanstantsin konstantins konstantinas kostiantyn constantine \
konstantine kostyantyn konstantinos constantinos konstandinos
kourosh kurosh
krasimir krassimir
kristoffer christoffer kristofer cristofer christopher kristofers cristopher christofer \
christofher cristoffer
kuno cuno
kurt curt kurts
kyriakos kiriakos
ladislav ladislaw
lalith lalit
lampros lambros
laurence lawrence
laurent laurens
laurentius laurentiu
lavrenty lavrenti
leandros leander leandro
lee leigh
leon leons leonas
leonard leonhard lennart lennard leonards leonardas leenart lenard leonhardt leonardus
leonel lionel
leonid leonyd leanid leonids leonidas leonide
lev lew liev
livio liviu
lorenz lorentz laurenz lorens laurynas lorenc
lorenzo lourenco
lothar lotar
louis louie
luben lyuben liuben
lubomir ljubomir lyubomir liubomir lubomyr
lubos lubosh
lucian lucjan luciano lucien
ludwig ludvig ludwik ludvik
luis luiz
lukas lucas lukasz lukass loukas luukas lukasch
luke luc
macario makarios
mads mats matts
magnus magnuss
mahdi mehdi mehdy mahdy
maher mahir
mahmoud mahmud mahmood mehmood mahmod makhmud
majid majeed madjid
maksim maxim maksym maxym maksims maksimas maxims
malek malik
malkhaz malchas
manfred manfredo
manish maneesh
mansur mansour mansoor
manuel manuele manuils
marcel marcell marceli marcelas
marcelin marcelino
marcelo marcello
marco marko
marcos markos
marino marinos
mario marios
marius mariusz
mark marc marks marck
markus marcus marcuss markuss
marshall marshal
marten maerten
martin martins martinus martyn martinas martynas martijn maarten martyin marthinus
maruf marouf
marvin marwin
marwan marouan marouane merouane
masoud massoud masud masood mesud
mateo matteo matheo
mateus matheus matteus
mathieu matthieu mathieux
matous matus
matt mat
matthew mathew
matthias mathias matias mattias matyas matthijs mathijs mattis mathis matthis mathys
matvei matvey matvej matvii matviy matviej matvejs matsvei matvij
maurice morris moris
mauricio maurizio
mauro maur
max maks
maximilian maksymilian maksimilian maximillian maximilien maximiliaan maksimilijan
maximiliano massimiliano
mayer meyer
maysam meysam
melchor melchior
menachem menahem
metodi metodij
michael mickael michaelis
mick mik
mieczyslaw mecislav
mihajlo mihailo
mikael mikkjal
mike maik
mikhail michail mihail mikhael mykhailo mykhaylo mikhaylo mikhailo michailo mykhajlo mihails \
mikhails mihhail mikhayil mikhajlo mikhal
mikheil mikeil
milan milans
miles myles
milivoj milivoje
milos milosz milosh
mirco mirko
miron myron
miroslav miroslaw myroslav miraslau miroslavs
mirzo mirza
mohamed mohammed muhammad mohammad mohamad muhammed muhamed muhamad mahammad mohd muhd muhammet \
muhamet mouhamed mukhamed mukhammad mohammod mohamud md
momchil momcil
mordechai mordehai mordekhai
moritz mauritz maurits
morteza mortaza
moshe moise moishe
muhsin mohsen mohsin muhsen
mukhtar mokhtar
munir mounir moneer
murali muraly
murat murad mourad murod
musa moussa mousa
mushegh mushek
mustafa mostafa mustapha moustafa moustapha mostapha
muzaffer muzaffar
nabil nabeel
nadir nader
naftali naphtali
nahum nachum nakhum
naim naeem
nasir naseer
nasser naser
nathan natan
nathaniel nathanael nataniel natanael netanel
naveen navin
navid naveed
neelotpal nilotpal
neil neal
niall neill
niaz niyaz
nicat nijat nidzhat nidjat
nicholas nicolas nikolas nickolas nicholaus nicolaas nikolaas
nick nik nic
nico niko
nicolo niccolo
nihat nihad
nikita mykyta mikita nykyta nikitas nikyta
niklas niclas nicklas
nikolai nikolay nikolaj nicolai nicolay mykola mikalai mikola nikolajs nikolajus nykola micolai \
nicolaj
nikolaos nicolaos
nikolaus nicolaus
nilesh neelesh
nils niels nyls
nitin nithin
noah noach
norayr norair
norbert norberts norbertas
noureddine nureddin nuruddin
nuri noori
odysseas odysseus odisseas
ognjen ognyan ognian
olaf olav oluf olafur
oleg oleh aleh olegs olegas
oliver olivier oliwer olivers
olzhas oljas
omar umar oumar
orestis orestes oreste
orhan orkhan
orjan oerjan
osama usama oussama ussama ossama
oskar oscar oskars oskaras
osman othman usman uthman ousmane outhmane
osvaldo oswaldo
oswald osvald osvalds
otakar ottokar
otto oto otho
ovidiu ovidio
oystein oeystein
oyvind oeyvind eyvind
ozgur oezguer
ozkan oezkan
pal paal
panagiotis panayiotis panayotis panajotis panagiotes
par paer
parviz parvez pervez
pascal paskal
pascual pasquale
patricio patrizio
patrik patrick patric patryk patricks patryck
paul paulius pauls paulus
pavel pavlo pawel paval pavels pavelas
pericles periklis
peter piter
petr pyotr piotr pjotr pyotar petro petar petru piotrs pjotrs piatro peotr
petrus petras petros
philip phillip filip filips phillipp filippos philippos filipp philipp
philippe phillipe
pieter peeter
pinchas pinhas pinkhas
pouria pouriya
pradeep pradip
prashant prashanth prasanth
pratik prateek
praveen pravin
premysl przemyslaw
qasim kasim qasem kassem ghasem kacem
quentin quintin quinten
radivoj radivoje
radoslaw radoslav
raed raid
raffaele rafaello raffaello raffael
rafik rafiq
rahim raheem
rahman rehman
raimondo raimundo raymundo
raimund raymund raymond raimond raimonds reymond
rainer reiner rayner reinier rainier raynor
rajeev rajiv
rajko rayko raiko
ralf ralph ralfs
ramazan ramadan
rami ramy
raphael rafael rafail
rashad rasad rachad reshad
rashid rasheed rachid raschid
rasmus erasmus
rauf raouf rauff raoof
reinhard reinhardt reinhart
remi remy
renat rinat
renato renatas
resul rasul rasoul rassoul
reuben ruben
reza rida reda ridha riza
rhys reece
riad riyad riyadh
ricardo riccardo
richard ryszard rikard rickard rihards richards rihard ritchard
rick ric rik
rinaldo reinaldo reynaldo
rishabh rishab
ritvik rithvik hrithik ritwik
robbie robby
robert roberts robertas robbert
rodion radyon
roel roelof
roger rodger rogier rogerio ruggero rogerius
roland rolands rolandas
rolf roelf
roman romans romanas
ronald ronalds
ronnie ronny
rostislav rostyslav rastislav rastsislau
rudi rudy
rudolf rudolph rudolfs rudolphe
ruediger rudiger ruedeger
rui ruy
rumen roumen
rupprecht ruprecht
ruslan ruslans
rustam roustam rustem rustom
sabir saber
sadegh sadiq sadek
said saeed saeid sayeed saied seid
sajjad sajad
sami samy
samir sameer
samuel shmuel samuil shemuel samuelis samuels
sandeep sandip
sanjay sanjai
santosh santhosh
sanzhar sanjar
sardor sardar
sargis sarkis serkis
sasho saso
satish sateesh sathish
saurav sourav saurabh sourabh
sava savva
saveli savely saveliy savelii
savvas savas
sayed sayyed seyed syed sayyid seyyed sayid
sean shaun shawn
sebastian sebastien sebastiaan sebestyen sebastijan sebastyan sabastian
sebastiao sebastiano
selim salim saleem
semen syomen semyon semion semjon siamion semjons semyen symyon
sergei sergey sergej serhii serhiy serhij siarhei sergii sergiy sergij serguei serguey sergejs \
sergejus siarhey serghei serhey sergay sergeij sjarhej
shahin shaheen
shai shay
shakhriyar shahriyar shakhriar shahriar shariyar chakhriar
shamsiddin shamsuddin shamseddin
shankar sankar
sherif sharif sheriff cherif shareef
shimshon samson
shiva siva
shokhruh shahrukh shohrukh
shreyas shreyash
shyam sham
siddharth sidharth siddhartha siddarth
sidney sydney
siegfried sigfried sigfrid zygfryd
siegmund sigmund sigismund zikmund
sigurd sigurdur siegurd
silvain sylvain
silvano silvan sylvan
silvester sylvester silvestre
silvio silviu silvius sylvio
simeon symeon
simon simun shimon szymon
simone szimon
slawomir slavomir
soheil suhail sohail souhail
sokratis socrates sokrates
solomon salomon shlomo salomone szlomo
soren soeren
sotirios sotiris soterios
spyridon spiridon spyros spiros spiridione
srdjan srdan srdzan
srinivas sreenivas srinivasa shrinivas
sriram shriram
stanislas estanislao
stanislav stanislaw stanislau stanislavs stanislovas stanyslav
steen sten
stefan stephan stefans stefanas stefanos
stefen steffen steffan
stepan stsiapan stepans styapan stiepan
stephen steven stephens stevens
stewart stuart stuard
stoyan stojan stoian
sudhir sudheer
sujit sujith
suleyman suleiman sulaiman soliman sulayman solaiman suleman sulejman sueleyman souleymane
sunil suneel
suren souren
surya suriya
svein sveinn
sven swen svend
svyatoslav sviatoslav svjatoslav svetoslav sviataslau swiatoslaw svjatoslavs svatoslav
tadeusz tadeas thaddeus
taher tahir
talgat talhat
tamerlan temirlan
tarik tarek tariq tareq
teimuraz teymuraz teimouraz
temur timur teimur teymur teimour timour taimur temour timor
tengiz tenguiz
teodor theodor theodore teodors theodorus
teofil theophil
terence terrence
theo teo
theodosios teodosio teodosije
theophile teofilo
thiago tiago
thibault thibaut thibaud
thilo tilo
thor tor
thoralf toralf
thorsten torsten torstein thorstein
thorvald torvald
tibor tiber
tigran dikran
timofei timofey timofej tymofii tymofiy tsimafei timofejs tymofey
timothy timothee timoteo timotej timoteus
tito titus
tobias tobiasz tobiass
toghrul togrul
tomas thomas tomass thomaz thomash
tonnu tonu
torbjorn thorbjorn torbjoern thorbjoern
tore thore
toufik tawfiq taoufik tewfik tofik tawfik taufik
traian trajan
trajce trayche
trajko trayko traiko
tristan tristen
tsvetan cvetan tzvetan cvjetan
tsvetko cvetko
tsvi zvi tzvi
tugrul tughrul
tulio tullio
ulises ulisses ulysses ulisse
ulrich ulrik ulrych
ulugbek ulughbek
umberto humberto
urban urbain
uros urosh
vadim vadym vadims wadim vadzim vadimas vadime
vaggelis vangelis
vahan vagan
vahe vage
vahid waheed wahid
vaja vazha
vakhtang vachtang vahtang wachtang
valentin valentyn valiantsin valentins walentin valentinas valentine
valery valeri valerij valeriy valerii valeriu valeryi walerij walery waleri valerijs valerijus
vardan vartan
vasif vassif
vasilios vasileios vassilios vasilis vassilis
vasily vasili vasilij vasiliy vasilii vasyl vassily vassili wassily vasil vassilij wassili \
wassilij vasilijs vassil vasyly vasilijus
veniamin beniamin venyamin
ventsislav ventzislav venceslav
veselin vesselin
viktor victor wiktor viktar viktors viktoras victors
vincent vincents vincentas vincenz
vineet vineeth
visakh vishakh
vishwanath viswanath
viswanathan vishwanathan
vitaly vitali vitalij vitaliy vitalii vitalijs vitalie vitalijus witalij witali vital
vittorio victorio
vladimir wladimir volodymyr uladzimir vladimirs vladimiras volodimir wolodymyr vladymyr ulad \
vladimer
vladislav vladyslav wladyslaw uladzislau vladislavs vladislavas vladislau wladislaw
vsevolod vsevolods wsewolod usevalad
vugar vuqar vougar
vyacheslav viacheslav vjaceslav vjacheslav viatcheslav vyatcheslav viaceslav wjatscheslaw \
vjaceslavs viachaslau viatscheslaw veaceslav vyacheslaw vaceslav
waldemar valdemar valdemars voldemar voldemars
walid waleed oualid
walter walther valter valters
wassim wasim
werner verner wernher
wieslaw veslav
wilfried wilfred wilfrid
willi willy willie
wilmer vilmer
winfried winfrid
witold vitold
wolfgang volfgang
xander ksander
xavier javier
xenofon xenophon
yago iago
yahya yehia yahia yehya yakhya
yair jair
yakov jakov iakov yakiv yakau yacov yaakov jakovs yakob iakovos iacob iakob
yakup yaqub yakub yaqoob yacoub yaghoub yakoub
yann yan
yannick yanick yannik jannik janik janick jannick
yaroslav jaroslav iaroslav jaroslaw yaraslau yaroslaw jaroslavs
yasin yassin yassine yaseen yacine
yasser yasir yaser
yavor javor iavor
yerbol erbol
yerson jerson gerson
yigal igal
yohann yohan johann
yordan iordan yordanov
yosef yossef joseff
yossi yosi iossi
yousef yusuf youssef yousuf yusef youcef youssouf yusif yusup yosuf joussef usuf
yunus younes younis yunis younus youness
yury yuri yuriy yurii yurij iouri jurij juri iurii iuri jurijs jury youri yuryi iury
zach zack zac zak
zacharias zacarias zaharia zaharias zaccaria
zacharie zaccharie
zachary zachery zachariah
zafer zafar
zaid zayd zayed
zakaria zakariya zakariyya zekeriya
zakhar zahar zachar zakharia
zarko zharko
zaur zaour
zbigniew zbignev
zdenek zdenko
zdislaw zdzislaw
zhandos jandos
zhanibek janibek
ziad ziyad
zinovy zinovi zinoviy
zivko zhivko jivko
ziya zia
zurab zourab
"""

MALE_FORMS = """\
abdelrahman abdo
abdul abd
abdullah abdul
abraham: abe bram ibrahim avi
adalbert bert vojtech adi
adolf adolfo adolphe adi dolf
adrian adriano adri adrianus ade arjan
ahmed ahmet ahmadou
alan alain al
albert alberto al bert bertie albi berto albertus
alex aleks alec
alexander alejandro alessandro sandor
alexander lex
alexander: alex aleks alec alejandro alessandro alessio sandor sandro sander xander sasha sascha \
sacha sasa saso aco aleksa alexios
alexei alyosha alexis alejo alex
alexis alex alexios
alfons alfonso afonso alonso
alfred alfredo fred al alf freddie fredo
ambrose ambrosio
anatoly tolya
anders andrew andreas
andrei andrius andris andrzej ondrej
andrew andrei andreas andre andres andreu andrzej andras ondrej andrea
andrew: andrei andreas andre andres andreu andrea andrzej andras ondrej andraz andrius andris drew \
andy andrija antti
aniruddha ani
anton antonio anthony antoine antonin antal antun antonios
anton tonton toncho
anton tony toni
anton: antonio antoni anthony antoine antonin antal antun ante tony toni antonios antonis anto
antonin tonda
antonio tonino toninho
antonio tony toni
antun ante tonci anto
archibald archie
arno arnold
arnold arnaud arnaldo arnau arnie
arseny senya
artashes artash
artem tyoma artemio
arthur arturo art
august augusto gus
augustin agostinho gus
aurel aurelien aureliu relu
avtandil avto
bartholomew bart barthelemy bartlomiej bartek tomeu
bartosz bartek bart
benedikt ben benito benoit benedek bento benedetto
benjamin ben benny benji beni veniamin benja
bernard bernardo bernd bernat bernie ben
besarion beso
bob bobby rob robbie
bogdan boban bodya
bojan bojko
boleslaw bolek
boris borya boro
bozidar bozo
branimir branko brane
branislav branko brane
bronislav bronek
cameron cam
carl: carlos charles karel karol carlo karoly charlie chuck carles karlo karlis kalle kaarel calle \
kaarlo
carlos carlito carlitos
charles: charlie charley chuck chas carl carlos carlo charly
charlie chuck
chris kris
christian: chris cristi cristiano kris krsto chrys
christoph chris stoffel krzysztof cristobal
christopher: chris kris cristobal christoph krzysztof kristof topher kit cristovao
christos chris christodoulos
claudio claude claudius claudiu
clement clem
cornelis kees cor nelis corneliu neels cornel
costica constantin
dan danny dani
daniel: dan danny dani daniil daniele danilo danek danko dany daan dano
david dave davide davey davy daud davi dato
davit dato dave
davud david
dawood david daud
dennis den denny
diego dieguito diogo
dietrich dieter dirk
dimitrios dimitar dimitrije dumitru demetrio demetre mitko dimo
dmitry dima mitya dimitrios dimitar dimitrije dumitru demetrio mitja mitar dimo
dominik domingo domenico dom domonkos dominique domenec dinko domen
donald don donny donnie
douglas doug
drago: dragoljub dragomir dragoslav
edgar ed
edmund ed eddie edmundo ned
eduard edik eduardo edi edo
edward ed eddie ted teddy ned eduardo
edwin ed eddie
efim fima haim
elazar eliezer eli lazar
elias: elijah eliahu elia elie elio ilias ilie illes
emanuel manuel
emanuel: manuel manolis manny mano manel manu
emil emile emilio emilian
emmanuel manu manny manolis manuel
enrique quique kike henri henry enric
ernesto neto ernest
ernst ernest ernesto erno ernie arnost
eugen eugenio jeno gene
evgeny zhenya eugen eugenio gene
ezequiel zeke
fabian: fabio fabiano
fco francisco
federico fede fred friedrich freddy fredrik
fedor fedya teodor
ferdinand fernando ferran ferdi ferdinando fernand nando nandor
ferenc francis franz feri ferko frank
fernando nando fer ferran hernando
fidel fidelio
florian florin flo
franc franci franz
francesc francisco cesc xesc quico frank
francesco franco francis ciccio franz
francis francisco francesco francois franz frantisek ferenc francesc franjo frans franciszek franc
francis: frank fran francois francisco frankie
francisco: paco fran pancho curro kiko francesc xisco chico cisco francis frank patxi
francois francis franz franck
franjo frano fran frane franc franz
frank francis franz franco
frans frank francois franciscus
frantisek franta franz fanda frank
franz: francis frans frantisek ferenc franjo franci franc
frederick: fred freddie friedrich federico fredrik rick fritz fredy
fredrik fred frederic freddy
friedrich fritz fred frederick friedel fiete
frits fred frederik
gabriel gabi gabe gaby gabriele gabor gavril
garry harry
gaspar jasper
gennady gena genya
geoffrey geoff
george georg georges georgios jorge jordi giorgio jiri jerzy gyorgy gheorghe georgy
george: georgy georg georges georgios jorge jordi giorgio jiri jerzy gyorgy juraj jure georgije \
djordje gheorghe joris jordy goga yrjo
georgy gosha zhora
gerald gerry jerry gerd geraldo gerold
gerard: gerry gerhard gerardo gert gerd ger geert gerrit
gerhard gerd gerard
gerrit gert
gevorg georgy george
gevorg gev
gheorghe george gheorghita gica
gian: giampaolo giancarlo gianfranco gianluca gianmarco
gilbert gil gilberto bert
giorgi gia gio goga
giovanni gianni gian nanni vanni
giuseppe beppe peppe joe pino joseph
gonzalo gonza
graham gray
grigor grisha gregor
grigory grisha gregor gregory gregorio gregoire greg gligor grzegorz gergely gergo krikor
guillermo guille memo william guillem
gustav gustavo gus gusti kustaa
hamza hamzat
hank harry hal
hans jan johan johann
harold harald harry hal
harrie harry
harutyun harut
heinrich heinz heiner hein henry henri heini
helmut helmi
hendrik henk henry hein henri rik drik
henrik henri henry heinrich heinz
henry henri heinrich enrique enrico henrik jindrich
henry: harry hank henri heinrich hendrik henrik enrico enrique hal henryk heikki
henryk henry heinrich heniek
herman ermanno german harm
hermann german ermanno
hieronymus jerome
hovhannes ivan hovik
hristo christo hristos
hugo hughes hugh huw
humbert humberto
huseyin hus
ibrahim abraham
ignacio nacho inaki ignazio ignac ignasi ignacy
igor gosha
ilya ilie ilias elias elijah ilyusha
ioannis giannis john jean ioan
ion: ioan ionut ionel iancu nelu
iosif josef osip yosef yossi
irakli ika heracles
isaac: ike zak itzhak izzy ishak
ishmael ismail ismael
iskandar alexander
israel izzy yisrael srulik
istvan pista esteban steven
iuliu gyula
ivan jovan vanja ivko ivano
ivan: vanya jan vania john johann johannes jean juan giovanni joao janos ion ioan ivo ivica janez \
yvan iancu jon juhani johan janko jani
jacinto jacek
jack: jackie jacky
jacob jake
jacques jacky
jakob jakub jacques giacomo jacobo jaakko yakov
jakob jakub jacques jake jaap giacomo jacopo jaakko jacobo jakov jakab jokubas kuba coby cobus jeppe
james jim jimmy jamie jaime jaume seamus hamish
jan honza janek
jan jasiek
jan jon jonny
jan: janko jano janik janek honza
janos jancsi johann jani
jaroslav jarda jarek
javier javi xabier xavi
jeffrey jeff
jeremy jerry jeremias jem
jerome jerry
jerzy jurek
jerzy yuri
jhon john
jhonny johnny
jindrich henry jindra
jiri jirka
joachim achim jochen joaquin chimo jochem
joan jan jean juan jon john
joaquim quim joachim
joaquin quim ximo joakim chimo
joerg georg
johann: hans hannes jan jon jonny johnny
johannes hannu
johannes juhani
johannes: hans jan johann johan hannes jens jannes johnny jo joannes
john jack johnny jackie
john jan johann johannes juan jean giovanni joao janos ion ioan jovan ivan
john: jan johann johan johannes hans jean juan giovanni joao janos ion ioan ioannis jon jack \
johnny jovan yohan
jonathan jon jonny yoni
jordan jordi yordan
jorge jordi jorginho
jorgen georg
jose: pepe josep joseito josu chepe zeca ze
josef jose josep giuseppe yosef joe joey jo beppe pepe pepi sepp josko joso josu iosif yossi \
youssef jozo joze jos peppe pepa
joseph jose josep giuseppe
joshua josh josue yehoshua joschka
josip jozo josko joso joza
juan: juanito giovanni joao jon john jean johann
juerg joerg
juerg juergen
juergen jorgen
juhani juha
juhani jussi
julian julio jules
julian: julio jules julen julius
julius julio jules gyula
juraj jure jurica
jurica juraj jure
justin justo justino
karapet karo
karel karol kaja
karl charles carlos karel carlo karoly karol carles
kemal kamal
kenneth ken kenny
khachatur khachik
kiko paco
kirill cyril cirilo kiro
konstantin kostya kosta kostas costin constantino dinu costel kosti
krishnan: krishna
krystian krystek
krzysztof krzysiek chris
ladislav laco laszlo ladia
lajos lajcsi louis ludwig
larry lars
larry laurie
lars lorenz laurits lasse
laszlo laci ladislav
lawrence: larry laurie laurent lorenzo lorenz lars laurentiu lawrie laurits
lazar lazaro lazarus lazo
leonard leonardo leo len lenny
leonid lenya leo
leopold leo poldi leopoldo lipot
leslie les
lev leo leon lyova
lev leonid
levon leon lev
ljubomir ljubo ljuba
lorenz lorenzo laurent lawrence lars lovro
lorenz: lorenzo laurent lawrence lars lovro
lorenzo renzo lorenz laurent
louis luis luigi ludwig lajos lluis
louis: luis lou lewis ludwig luigi lajos
lubomir lubos lubo
luc luk
lucas luca luke luka
lucas: luke luc luca luka
lucian lucio
ludwig louis lutz luis ludovic lajos ludo ludek luigi
luigi gigi gino louis luis
luis luisito louis lucho luigi lluis
lukas luki luke luca luka
mahmoud mahmut
malcolm mal
manfred manni fred mannie
manuel: manu manel manolo manny manoel emanuel lolo
marcel marcelo
marcus: marco marcos marek mark marku
marek: marco mark
mario marius
mark marco marcos marek
mark: marco marcos marcus marko marek markos marku
martin marton marty martino marti morten martim marcin
matei mateo
matej: mateusz matija matus matko
matthew mathieu matteo mateus mateusz mateu matej
matthew: matt mathieu matteo mateo mateus mateusz matej matei mate mateu
matthias mattia matti matija matjaz maciej
matthias: matt mats matti matjaz matija thijs hias tijs mattia matus matiss
maurice moritz mauricio mo
mauricio maurice moritz mau
maxim maxime massimo max maximo maximus
maximilian max maxi maximiliano miksa
maxwell max
mechislav mietek
mehmet memet
melvin mel
michael mikhail michel miguel mihaly michal mikael michele miquel mihai mihajlo mikheil mikkel \
michiel mikel mihael
michael: mikhail mike mick mickey mikey michel miguel michele mihaly michal mikael mikkel misha \
mihai mihajlo miquel mikel michalis michiel mihael miha miho mijo micha mitch michail mikheil \
mischa
michal misko michel misha
michele michelangelo miki
miguel miquel mikel micky miguelito
mihael miha miho mijo
mihail mihai mihajlo mihal
mihaly misi miska
mikael mika
mikael mikko
mikail mikhail
mikayel mikhail
mike mick mickey mikey
mikhail: misha mihai mihaly michal mikael mihajlo mikheil mikayel misko
mikheil misha
milan milo
milivoj mile milo
milorad mile mico
milos miloslav milo
milutin mile
miodrag mile mija
mircea mircha
miroslav mirek miro mirko slava
misha mischa
mitchell mitch
mohamed: mehmet momo hamada magomed mohamadou
moses moshe moises mose moussa
murat muradbek
musa moses
mustafa mus
nathaniel nat nate nathan
nicholas nikola nikolai nikolaos nicolae niklas nikolaus miklos nicola nicolo mikolaj mikulas \
nikoloz
nicholas: nick nicky nico nicolae nikola nicola nikolaos niklas nikolaus klaus claus nikolai \
miklos nikos nikolay nicolo niko nik nikica mikolaj mikulas nicu miklavz
nick nicky nico
nicolaas niek
nikita nik kita
nikola nikolai nicolas
nikola: niko nick nik nikica nicola kolya nidzo
nikolai: kolya nikola nik mikolaj nick nicu niko nicolae
nikolaos nikos niko nick
nikolaus klaus niklas nick niko niels
nikoloz nika nikolai niko
nodar nodo
nodirbek nodir
norbert norberto nobi bert
norman norm
octavio octavian tavi ottavio
oleg olezhka olezka
oliver ollie olly oli noll
oswald osvaldo ossi
otto otokar
pancho paco
pascal pascual
patricio pato
patrick pat paddy patrice patricio
paul paulo pablo paolo pau pal poul pavle pavlos paavo pavol pol
paul pavel pablo paolo paulo pal pau poul
pavel pavle pavol pavlos
pavel: paul pasha pablo paolo pal paulo pau pavle pavlos pavol poul povilas paavo
pavle pavol paja pavo
per peter
percival percy
petar pero petko pepo
pete petya
peter petr pedro pietro pierre pieter pere petros piet
peter: petr pete pedro pietro pierre piero pieter piet pere petar petri petter petros petko petre \
petur petru pero peteris petya piotr peer pietari petrus
petr petya petrus petre petko peteris
petras peter
petru petre petrica
philip phil philippe felipe filippo fil pip lippe
pierre peter pierrot
piotr piotrek
predrag pedja
przemyslaw przemek
rade: radoslav radomir radovan
radomir radek rado
radoslav rado radek
rafa rafi rafael
rafael: rafa raffaele rafal rafi rafayel rafel
raimund ray raimo mundi ramon raimundo
ralph raul raoul
ramachandran ram
ramesh ram
ratko ratomir
raul raoul ralph
raymond ray ramon raimundo
reginald reg reggie
reinhard reini
reinhold reino rinaldo
rene renato renat
reuben rube
revaz rezo
ricardo rick richard ricky cardo
riccardo ricky richard
richard rick rich dick richie ricky ricardo ritchie
robert roberto rupert
robert: bob bobby bobbie rob robbie roberto robby rupert robi roby bert
roberto robertinho beto rob
robin rob robbie
rodion rodya
rodney rod
rodrigo rodri roderick
roger rog rogelio
roland rolando orlando roly rollo
rolf rudolf ralf
roman: romain romano roma
ronald ron ronnie
rudolf rudi rodolfo rolf rodolphe
salvador salva salvatore
salvatore toto salva
samuel sam sammy samvel samu samuele
sandro alexander
sandro: sandor alessandro sander
santiago santi chago iago
sargis sergei serzh
sasha sascha sacha sasa
sebastian seb bastian basti sebas seba sebastiao
semen simeon simon sema simone senya
sergei seryozha serge sergio serg sergiu sergi
shalva shaliko
sherzod sher
siddharth sid
siegfried sigi siggi
siegmund sigi zygmunt zsigmond
silvester vester szilveszter
simon: simeon simone simao simo si
slavoljub slavko
slavomir slavko slavek
slobodan boban sloba bodan
solomon sol
srdjan srdja
sridhar sri
srinivasan srini srinivas
sriram ram
stanislav stas stanley stan slava staszek stano stanko
stefan: stephen stephane esteban istvan szczepan stefano stjepan stevan etienne steffen steve \
stevo estevao esteve stenka
stepan stefan stephen esteban istvan szczepan stephane stjepan stevan etienne stefano stepa styopa \
stipe stevo steffen
stephen steve steffen stephane esteban stefano etienne stevie
stevan stevo steva
stewart stu
stjepan stipe stevo stef stipo
suleyman solomon
sulkhan suliko
sven svein
svyatoslav slava
sylvain silvano
tadeusz tadek
tamas thomas tomi
tamerlan timur
teimuraz temo temuri
teodor todor tudor teodoro theodoros teo
terence terry
thaddeus tad ted
theodor theo ted
theodore ted teddy theo teodoro theodoros tudor todor teuvo
thomas tomasz tamas tommaso tuomas toomas tomaz
thomas: tom tommy tomasz tamas toma tommaso tomek tuomas tommi toomas thom tomaz tomi maas tome
tiberiu tibor
tigran tiko
timofei tim timothy tima timo
timothy tim timmy timo
timur tim
tobias toby tobi
tom tomas toma tomek
tom tommy
tomas tamas
tomas tom toma tomasek
tomasz tomek thomas tom
tomi tommi
tomislav tomo toma tomica
ton antonius
tony toni anthony
trajan trajko
ulrich uli ueli ulli
ulysses odysseus
urban urbano
vaclav vasek venceslav vencel wenzel
vadim vadik
vakhtang vato vakho
valentin valentino valya valek valentim
valery valera valerio valerian
vasily vasya vasile vasilios basil vasko basile basilio vasja vaso
venkatesh venkat
venkatraman venkat
vicente vicent vincent chente
viktor vitor vittorio vic vitya vico
vincent vince vicente vincenzo vinnie vinko vicenc
virgil virgilio
viswanath vishy
viswanathan vishy
vitaly vitalik vitya vitaliano
vladimir vlad vova volodya vlado vlada vlade waldemar
vladislav vlad vladik ladislav wlodek slava
vojtech adalbert vojta
vyacheslav slava slavik
walter walt wally gautier gualtiero wal
wesley wes
wilfried fred willi wilfredo
wilhelm willi will bill vilmos vilem willem viliam guillermo guillaume william wim wilko
willem wim will william pim guillaume
william bill billy will willy wilhelm willem guillermo guillaume gwilym guglielmo guilherme
winston win
wladyslaw wladek
wojciech wojtek adalbert
wolfgang wolf wolfi
xabier xabi javier
xavier xavi javi
yaakov kobi jacob
yakov: yasha jakob jack james
yan jan ian
yann jean yannick
yaroslav slava jarek jarda
yefim fima
yegor georgy gosha
yehuda udi
yitzhak itzik isaac zahi
yosef yossi joseph
yury yura
yusuf joseph yosef iosif
zachary zach
zakhar zacharias zakaria zachary zahari
zbigniew zbyszek
zdislaw zdzich
zivko zivorad
zoltan zoli
zoran zoki
zurab zura
zygmunt sigmund
"""

MALE_NAMES = """\
aad aamir aarne abel abhinav abzal achille adalberto adem adham adilet adilson adnan adorjan adria
agapitos agim agron aissa aitor aivars akbar ake akhil akif akob akos akram akshat akylbek alban
albin albino aldo aleck aleksy alen algirdas alibek alin alireza alkis almas alon alp alper altan
alvar alvaro alvin alvydas alwin amadeus amanzhol amaury amer amit amnon amol amos anar anas
anderson andor andranik andro angel angelo angelos anicet anil ankit antonello anxel anze apostolos
aram arash arben arda ardian are arend ari ariel arild aris aristotelis arman armen armin arne
arnfinn arpad arsen artavazd arun arunas arvid arvin arvydas arystan aset asgeir asger asher asif
asim askhat athanasis atle atul audrius audun augustine aurele austin avetik avigdor aydin azamat
azer azizbek bahman bahram balaji balazs balint baptiste baris barna barry bas bashar basim bassam
batuhan baurzhan bayram beat bedrich behrang beka bekir bekzat benas bence bengt benigno bent berat
berend berik berk berkay bernabe bertil bertrand besim biagio bijan birger bjarke bjarne bjoernar
blagovest blerim bo boaz bodo bolat bonaventura boniface bora borja bostjan botond brad bradley
bratislav braulio brendan breno brent bruce brynjar bulat bunyamin burak burhan byron caetano caio
caleb calin callum calogero can caner carmelo carmine cary casimiro catalin cedomir cedric celal
celso cem cemal cemil cestmir chavier christoforos christy cihan ciril claudiusz clifford clive
clyde cody cole corentin cosimo cosmin craig cristinel csaba csongor curtis cyrus dacian dag
dagoberto dainius dale dalen dalibor damaso damiano damir damon dante dario darko darwin dastan
davor davorin dean declan denes desmond dev devendra dezso didar didier dimosthenis dinis dino dion
dionis dobrivoje dobroslav dogan dogukan domagoj domingos donatas donato doniyorbek dorel dorian
doru dov dragan dragi dragos dragutin drazen drazenko dries dror duarte duncan dusko dustin dwight
earl eberhard edin edson edvinas eero efe efren egbert ege egil egon ehud eigil einar eirik eivind
ejnar elad eladio eldar elemer eliazar elisardo eliseo ellis elmar elmer elnur elton elvin elvir
elvis elyor emeric emidio emili emiliano emir emrah emran emre emzar ender endre enea eneko enes
engin enis enver enzo eran erasmo erdal erdem erekle eren erez ergin ergun erhan erich erkan erland
erlend erling ermin erol ersin ertugrul esa eskil ethan ettore eudes eugeniu evan evaristo evert
evren eyal eyup ezra fabrice facundo fadi fadil falk farshad fatih fatmir fatos faustino fausto
favio fayez federic felice feliu fermin fikret fiorenzo firat flavien flavio flemming florent
florenz floris friedhelm frode froilan fulvio furkan gad gael gal galileo ganesan ganesh gareth
gaston gaurav gavin gavrila gediminas geir gellert genaro gennaro gerasimos gerben gernot geronimo
gershon geza ghassan gherard ghislain gideon giga gilad gilles gintaras gintautas giordano goce
gojko gopal gor goran gordan gordon gottlieb govind grant graziano grozdan gudmundur guido guilhem
gukesh gunder gunvald gurkan gursoy guy gyozo hadi hakan halil halit haluk hamad hamdi hamed hamlet
hanspeter hari harri harrison harsh hartmut harvey haukur hayden heitor helge helio hemming henning
hernan herve herzl higinio hikmet hillel hilmar hippolyte hjalmar holger horia horst howard hrvoje
huba hunter huub hynek ibon idan iker ilan ildar ilgar ilhan ilir ilker ilkin ilkka ilmari ilmars
imran imre imrich ingemar ingo ingvar inigo iordanis ireneusz isidoros islam islombek ismet isser
italo itamar iulian iustin iustinian ivor iztok jaba jackson jairo janis janusz jari jarl jarle
jarmo jaromir jayesh jelle jelmer jernej jeroen jesus joffrey jonah joni joonas joop joost jorma
joss josselin jouni jovica jovo jude juhan jukka juris jurriaan justas kaan kagan kaido kajetan
kalman kaloyan kamel kamran kanat karlheinz karri kazybek keith kelvin kenan kent kerem kerim keshav
kestutis kian kiarash kivanc kjartan kjell kliment koba koenraad koldo koray kosmas kresimir
kristaps kristinn kristjan krum krunoslav krystof kuanysh kumar kyle ladislau lado lance lapo lasha
lauri lazaros lech leendert leif leoncio leone leroy lester leszek levan levent levente levi liam
libor linas lino linus lisandro liudvikas ljubinko ljubisa ljudevit ljupco lloyd lodovico loek logan
loic lokesh lorand lorant lorinc loris lovre luan lubor ludger ludovico ludovit luther luuk lyudmil
madhav magdy magne mahesh mait makar malte mamuka manoj mantas manvel marat marceau marcial marcio
mariano marijan marin marinko maris marjan markas markku marlon martti mason matan matas matheu
matic mato maxence mayank medhat mehran mehrdad meindert meinhard meir melih mendel menelaos menno
merab mert mesut mete metin mher micah mihnea milad miladin milen milenko miljenko milko milovan
miltiadis milton mindaugas miroljub mirsad mirzad misael mithun mladen moataz moayad modestas mogens
mohan mohit mojmir momcilo momir moreno motti mourtada mstislav muayad mubarak mukesh murilo murtas
nadav naji narayan narayanan narciso narek nawaf nazar nazir nebojsa necati nedeljko nedim nektarios
nelson nemanja nenad nerijus nermin nestor neven nicanor nicodeme nigel nijaz nikhil nima nimrod nir
nissim nizar noam noe noel novak novica nuno nurali nurbek nurlan nursultan nurzhan obrad octavi
octaviano odd odon ofer ofir oguz oguzhan ohad okan ola olavi oldrich ole olle olli olof omer omid
omri onur oren orest oriol orlin ortik ostap ostoja oswin otabek otar otavio ove owen oz ozan paata
palle pankaj pankrac panos panteleimon pantelis paraskevas parham parth paschalis pascoal paulino
paun peder pehr pejman pekka pelle pellegrino pentti petrit petteri pier piergiorgio pierluigi
pirmin placido plamen platon polychronis pouya prabhakar prakash pranav pranesh prasad preben
preston primo prithvi prodromos prokop rabah radenko radim radmilo radoje rados radosav radu radul
ragnar rahul raivo raj rajendra rajesh rakesh rama raman ramanathan ramaz ramin ramiro ramiz ramunas
randall randy rangel ranko rares rati ravi ravil ravshan rayan razvan recep regis reijo remco remus
renan renaud rex reynold ricard rigoberto riku rimantas rinus rishi risto roar robson rocco roch
rodrigue roeland rohan rohit roi rok rokas roko rokus romeo romulo romulus ronaldo ronan ronen roque
rory roshan ross roy rubens rufat runar rune ruslanbek russell rusty ruud ryan rytis saad saar sabin
sabri sachin safet sahil salah saleh salem salih salman salvator samat sameh samer sampo samuli
sancho santino santo santos sarunas saul saulius sauro saverio savielly savo scott sead secondo
sedat segundo selcuk selman semih senad seppo serban serdar serhat serik serkan sestilio seth shahab
shahram shamil shane shashwat shaul sheldon shivam shota siamak siavash sicco siebe siegbert sijbren
silas silvanus simen simonas sina sinan sindre sinisa sjaak sjoerd skender slaven slavin slavisa
slavoj smbat sobeslav sondre sorin sos spartak spas spencer srecko sreten srinath staffan stamatios
stamatis stanimir stathis stavros stein steinar stelian stelios stellan stergios stian stig stijn
strahinja sturla stylianos suat subhash sultan sune suresh svatopluk sverre svetislav svetozar
swapnil szabolcs szilard tadas tadej tadeu taha takis tallak tamaz tamer tamir tancredi tanguy tapio
taras tarun tauno tayfun teemu tejas teofan terje tero teun thanasis themistoklis theocharis
theofanis theofilos theun thierry tihomir till tin tivadar tjeerd todd toivo tolga tomer torben tord
toribio tormod tornike toshko travis trevor triantafyllos trofim trond tryfon trygve tunc tuncay
tuomo ture turgut turhan tuvia tyler tymur tyrone udit udo ufuk ugur uldis ulf ullah umesh umid umit
umut unai uno ural uri uriel urmas urs utkarsh utku uwe uzi vahap vaibhav vaidas valdis vangel varun
vasco vasilije vavrinec vedran vegard veijo veikko veit velibor velimir veljko velko vernon vesa
victoriano victorien vid vidak vidar viggo vignesh vijay vikas vikram vikramaditya vilius viljar
ville vilmantas vinay vinicius vinod viorel virgiliu virginijus vishal vishnu vit vitezslav vito
vitomir vivek vjekoslav vladan vlastimil vlastislav vlatko vojin vojislav vojko volkan volker
volkmar vuk vukasin vusal vytautas waclaw wade wael wagner wallace walmir warren wayne wellington
wiebe wilson wlodzimierz wolfram wout wouter yagiz yaniv yash yavuz yeray yernar yigit yilmaz yme
yoan yoav yochanan yogesh yonas yuval yves yvon zahid zalman zaven zaza zbynek zdravko zeev zeger
zelimir zeljko zenon zhelyazko ziedonis ziga zigurds zisis ziv zivojin zlatan zlatko zsolt zsombor
zvezdan zviad zvonimir zvonko zydrunas
"""

FEMALE_SPELLINGS = """\
aakanksha akanksha
aarthi arthi
abigail avigail
adela adele
adriana adrijana
agata agatha agathe agota
aggeliki angeliki
agnes agnese
aigerim aygerim aigerym
aikaterini ekaterini
aileen eileen
ainur aynur
aleksandra alexandra oleksandra aliaksandra
alice alicia alicja alise
alina alyna
aliona alyona aljona aleona
alisa alissa
alison allison
aliya alia
amalia amalie
amelia amelie
anabel annabel annabelle
anamaria anamarija
anastasia anastasiya anastasiia anastassia anastasija anastassiya anastacia anastazja anastazija \
anastasja anastazia
anette annette anett annett
angelina anhelina anzhelina
anika annika
anneke anneliese
antoinette antoaneta
antonia antoniya antonija
antonieta antonietta
anzhela angela andzela anjela
anzhelika angelika angelica anjelika
ariana arianna ariane
arina aryna
asel assel
asya asia
athina athena
aurora aurore
ayse aysha aisha aysa aicha aysah
barbel baerbel
beata beate
beatrice beatriz beatrix beatrise
betty betti
bianca bianka
blanca blanka
bojana boyana
brigitte birgit birgitte brigitta birgitta
britta brita
bronislava bronislawa
camelia kamelia kameliya
camila kamila camilla kamilla
carla karla
carlotta carlota sarlota karlota
carmen karmen
carol carole
carolina karolina
caroline karoline karolin
catherine katherine kathryn cathryn katharine kathrine cathrine
cecilia cecile cecilie cecily
celine selina
charlotte charlotta
christa krista
christine kristine
claire clare
clarisa clarissa
claudia klaudia
concepcion concepcio
constanze constance konstanze
cornelia kornelia
cvetana tsvetana
dagmar dagmara
daniela danijela daniella
daria darya dariya dariia darja darija daryna
deborah debora
desislava dessislava
despina despoina
diana dijana dyana dianna
dorothea dorotea dorota
dunja dunya
edit edita edyta edith
ekaterina yekaterina jekaterina kateryna katsiaryna
elena yelena jelena ielena
eleonora eleonore
elisa elise elisse
elisabeth elizabeth elizabet elisabet
elisabetta elisabeta
elitsa elica
elizaveta yelizaveta yelyzaveta jelizaveta lizaveta yelisaveta elisaveta
ellen elen
elsa else
elzbieta alzbeta
emilia emiliya emilija emiliia
emilie emily
emmanuelle emanuela
erika erica
estela estelle
ester esther hester
eva ewa yeva
evdokia eudokia evdokiya
evelina ewelina
evelyn eveline evelin
evgenia evgeniya yevgenia yevgeniya evgeniia yevheniia yevheniya jevgenija ievgeniia evgenija \
yauheniya evguenia
fatemeh fateme
fatima fatma fatema fatimah
fatou fatoumata
florence florencia
francesca francisca franziska franciska
freja freya
frida frieda
friederike frederika frederike frederique
gabriela gabriella gabrijela gabryela
galina halyna halina galyna
gayane gaiane
geetha gita
genevieve genoveva
georgia georgiya
gertrud gertrude gertruda
gisela gizela gizella
grace gracia
grete greta
gulnara gulnar gulnora
gunay guenay
hatice khadija khadijah hadija
hedvika jadwiga hedwig
helena helene
henriette henrietta
irena irene
irina iryna
isabel isabelle ysabel
isabella izabela izabella isabela
ivona iwona
jacqueline jaqueline
jasmina yasmina
jayshree jayashree
jeanette jeannette
jennifer jenifer
jenny jenni
johanna johana
josefina jozefina josephina
joselyn joselin
josephine josefine
judit judith juditha judyta
juliana julianna julijana
julieta juliette giulietta
justyna justina
kaja kaya
karin carin
karina karyna carina
katarina katerina katharina catarina katarzyna caterina catharina
kathy cathy
katie katy
katrin kathrin cathrin katrine
katya katia katja
kavitha kavita
ketevan ketevani ketino
khanim xanim
kimberly kimberley
kira kyra
kirsten kirsti
klara clara klaara
klavdia klavdiya klavdija
konstantina constantina
kristin kristen
kristina christina cristina krystyna khrystyna hristina kristiina
ksenia kseniya ksenija xenia kseniia ksenya xeniya ksenja
lakshmi laxmi lakshmy
lalitha lalita
larisa larissa larysa
lea leah
lesya lesia
leticia letizia laetitia
leyla leila layla leyli laila lejla
lia liya
lidia lidiya lydia lidija
lilia liliya lilija liliia
lilian lillian
liliana lilyana lilijana ljiljana
lilit lilith
lily lilly lili lilli
lisbeth lisbet liesbeth elsbeth
liubov lyubov ljubov lubov
lucia lucie lucija lucja luzia
lucile lucille
lucrecia lucrezia
ludmila lyudmila ljudmila liudmila lyudmyla liudmyla lioudmila ludmilla
luisa louisa luiza luise
lynn lynne
lyuba ljuba
lyuda luda
madalena maddalena
madeleine madeline
madina medina
magdalena magdolna magdaleena
maike meike
maja maya maia majja
marcela marcella
margaret margareth
margareta margarete margaretha margarethe
margarita margaryta marharyta
margherita margarida
margit margret
margot margo
maria mariya marija mariia maryia marya maryja
mariam maryam mariami
mariana marianna marijana maryana
marianne mariane
mariela mariella
marina maryna
marisa marissa
marlene marlena
marta martha
martina martine
mathilde matilda matilde
maud maude
meenakshi minakshi
meghan megan
melanie melania
melisa melissa
mercedes merce
meruert meruyert
michaela mihaela mikaela
michela micaela
mirela mirella
miriam myriam mirjam
mirjana miryana
mona mouna
monika monica monique
nadezhda nadejda nadezda nadiia nadiya nadzeya
nadya nadja nadia
nandhini nandini
nargiz nargiza nargis
natalia natalya nataliya nataliia natallia natalija natalja nathalia
natalie nathalie natali nataly nathaly
natasha natasa natascha
nelli nelly
nicole nikol nicolle
nikoleta nicoletta nicoleta
noemi naomi
nonna nona
nora norah noora
oksana oxana aksana
olesya olesia alesia olessya alesya
olga olha volha olgha
olimpia olympia
olya olia
patricia patrizia patrycja
paulina pauliina
petya petia
polina palina
pooja puja
pratusha prathyusha pratyusha
priscilla priscila
rachel raquel rachele
raisa raissa
rebecca rebeca rebeka rebekka rebekah
regina reghina
renata renate
revekka rivka
rimma rima
rosana rosanna rossana
rossitza rositsa rosica
roxana roxane roxanne
roza rosa
rozalia rosalia
rozalie rosalie
ruth rut
sanja sania
sara sarah
savitha savita
silvia sylvia szilvia sylwia silvija
snezhana snejana snezana
sofia sofiya sofya sofija sofiia sofja sophia
sonia sonya sonja
sophie sofie
sopiko sofiko sopio
stanislava stanislawa
stefania stephania
stela stella
stephanie stefanie stephany stefani
sunita sunitha
susanna zuzanna zsuzsanna susana zuzana suzana suzanna
susanne suzanne susan
svetlana svitlana sviatlana swetlana
swathi swati
sylvie silvie
szidonia sidonia sidonie
taisia taisiya taissia
tanya tania tanja
tatiana tatyana tatjana tatsiana taciana tatiyana tatianna
tea thea
teresa tereza theresa terezia teresia
tetiana tetyana
tunde tuende
ulrike ulrika
ulyana uliana
ursula urszula
uta ute
valentina valentyna valiantsina
valeria valeriya valerija valeriia valerie
vera wera
veronika weronika veronica veranika
victoria viktoria viktoriya viktoriia viktorija wiktoria victoriya viktoryia viktorya
vilma wilma
violetta violeta
virginia virginie
vivian vivien viviana viviane
wanda vanda
wilhelmina wilhelmine
ximena jimena
yana jana iana
yaroslava jaroslava jaroslawa
yasmin jasmine yasmine jasmyn
yordanka jordanka
yulia yuliya yuliia iulia iuliia juliya julija youlia julia ulia uliya ioulia
yvonne ivonne
zahra zohra
zeinab zeynab zeynep zainab zaynab
zhanna janna zhana
zhansaya jansaya
zoe zoi
zofia zofija
zoya zoja zoia
"""

FEMALE_FORMS = """\
agnes agnieszka anezka ines
aisha ayesha
alexandra alejandra alessandra
alexandra: alejandra alessandra sandra sasha alex sascha sandrine alexa alexia aleksandrina sanda \
sasa sanya lexi shura
alina alinka
alisa alice
alla alochka
alzbeta beta elisabeth
amelia amy milly
ana ani
ana anna ann anne anita anica anka
anastasia ani
anastasia nastya asya stacy nastia nastasia tasia stasya
angela angie
angelica angie
angelina angie lina
ann annie nan nancy anne
anna: ann ana anne annie anja anya anka hanna annushka ania anita annette annika
anne annie anneke annick ann
antoinette toinette antonia antonieta
antonia toni tonia
antonina tonya nina
arina irisha
barbara varvara borbala basia babsi barbro
beatrice bea bia trixie
birgit bridget brita gitte brigita brigida
carla carola
caroline carolina carol carrie lina karola caro
catalina cata catherine
catherine katharina ekaterina katalin catalina ecaterina
catherine: cathy kate katie kathleen catalina katharina ekaterina caterina kitty kath katrin cate
cecilia celia cilla
charlotte lotte carlotta charlie lottie lotta
christina christine tina christa chris kristin kirsten kerstin krisztina kiki
christine chris tina kirsten christel
clara clarissa chiara claire
claudia klavdia claudette
concepcion concha conchita
cornelia nelly conny corrie
daniela danielle dani
daria dasha
deborah debbie debra
desislava desi
diana diane didi
dominique dominika
dorothea: dora dorothy dorothee doris dorthe thea
ekaterina katya kate catherine katharina ecaterina aikaterini ketevan
elena: lena helena helen alena olena elene eleni ilona ileana ilonka aliona lenka ilena
eleonora eleanor nora ella leonora lora
elisabeth elizaveta erzsebet elzbieta elisabetta
elisabeth: elizaveta elisabetta erzsebet alzbeta elisa isabel lisa liz liza beth betty elsa \
lisbeth elise eliza ella bettina elsbeth ilse else libby isabelle lilibet betsy liesbeth
elizaveta liza lisa elisabeth
elzbieta ela elisabeth
emilia emily milly milka
emma emmi ema
erika rikke
erzsebet erzsi elisabeth zsoka bozsi
eszter esther eszti
eteri eter
eva eve evi evita ieva evica
evelyn evelina eve
evgenia zhenya eugenia eugenie jenya
fatima fatemeh fatoumata
florence flora florentina flo
francesca fran frances franca francoise francine paquita franzi
francisca paca paqui fran
frederika rika fritzi
gabriela gabriele gabi gaby gabrielle
galina galya gala
georgia georgina gina georgette georgiana
gertrud trudi trude gerda truus
giovanna johanna gianna vanna
giulia julia
gulnara gulya
hanna hanne johanna hannelore anna
hannah hanna chana
hedwig hedy hedda
helen helena nell ellen elena lena
helena elena helen eleni elene olena alena
helena: helen lena elena ilona alena eleni hela
henrietta jette etta hetty
ilona helena ilka
ines agnes inez
inessa ines agnes
inna ina
ioana: joanna jana ioanna johanna oana joana
irena irina iren ireen eirini irka
irina ira irena irenka iren eirini irinka
isabel isabella elisabeth bella isobel
ivana jana iva ivanka ivka
jacqueline jackie
jana: johanna ivana jane janka jeanne joan
jane: janet jeanne joan jana joanna jenny
janina janine joanna
jasmin yasmin yasemin jasmina
jeanne jane joan johanna jeannette
jennifer jenny jen
jessica jess jessie
joanna joan jo johanna joana asia
johanna joanna ioanna juana jeanne giovanna jane jana
johanna: joan jane jeanne hanna hanne joanna joana juana giovanna ivana jana
josephine josefina josefa josie josette giuseppina pepita
judith judy jutta yehudit
julia: julie juliana giulia julieta uliana ulyana
julie julia julienne
karen karin catherine caren
karin karen karina catherine
katalin kati kata catherine
katarina katja kata kati katka catherine ekaterina katrin
katarzyna kasia catherine
kate katie katya kathy
katharina katja kathi katrin kate kathe catherine
kathleen kathy kate katie
ketevan keti keto eka
kinga kunigunde
klara klari
kornelia nelly
kristiina tiina
kristina: kristine kristin tina
ksenia ksusha ksyusha
larisa lara lora
laura: laure lauren lora laurence
leila lila
lena lenka
leticia leti letitia
lidia lida lydie lidka
lilia: lily lilly lilian lili
lilian lily liliana
liubov lyuba
liz liza lisa beth betty
lucia: lucy lucille luz lucyna lucienne
lucy lucia
ludmila luda mila milka lusya
luisa louise lou lulu lujza
madeleine magdalena maddie
magdalena: magda lena madeleine magdalene madalena malena maddalena majda magdi leni madlen
malgorzata margarita margaret gosia
margaret margarita margareta margherita malgorzata marketa margit
margaret: maggie peggy meg margarita marge margit greta margot madge margie daisy marguerite
margareta: margit greta grete gitta margret meta gretl marga maret margaret reet
margarita margaret rita margarida margareta margo marga
margherita rita margarita
margit margareta margaret greta
maria: marie mary masha mari mia miriam mariam maja marika mara maricica marica mitzi mimi marusya \
maricarmen manja maren maura moira
mariam maria miriam mary
mariana marianne
marianna marianne
marie: maria mary mia marika masa majka marit
marta marfa
martha marfa martika
martina tina
mary maria marie molly polly may
maryam mary maria
masa maria
masha mary
matilda tilda tilly
melanie mel
mercedes merche
mia mimi
michaela misa michelle michele michaella miska
milena mila
mira: mirjana miroslava mirka
miriam mariam mimi maria
mirjana mira
miroslava mira mirka
monika moni
montserrat montse
nadezhda nadya nadine nada nadica
natalia natasha natalie nata tasha talia natalka
nelli nel
nicole nicoletta nikola nicola nicky
nina ninochka
nino ninia nina
oksana ksana
olena lena elena alena
olesya lesya
olga olya helga
pamela pam
patricia pat patty tricia patsy
paula pauline paulina polina paola paulette pavla
pavlina pavla paula
peggy maggie meg
penelope penny
petra pet
philippa pippa
polina polya pauline paulina
rebecca becky rivka becca
renata renee rena
rosa: rose rosie rosita ruzena
rosalia rosalie rosa
rosemarie rosemary rose
roxana roxy
rusudan rusiko
salome saloma
sandra alexandra sandy
sara sally
sasha shura sasa sascha
serafima sima
silvia sylvie silva sylva
simona simone
sofia sophie sonya zofia zsofia sopiko zofie
sopiko sopo sofia
stefania stephanie stefka stepanka stef fanny estefania
stephanie steffi estefania steph stefania
susan zsuzsa
susanna: susanne sue suzy zsuzsa susie susan sanna zuzka zsuzsi shoshana
susanne susi susanna sanne
svetlana sveta lana
tamar tamara tamriko
tamara tamar tamriko
tatiana tanya tetiana
teresa therese terry terez tess resi teresita
ursula ulla uschi orsolya ursel
valentina valya vali valentine
valeria lera vali
varvara varya
vasilisa vasya
vera vira verka
veronika veronique nika roni vroni berenika
victoria vika vicky vittoria vitoria tori viki
violetta viola
wilhelmina mina wilma willemijn minna
yolanda jolanda jolanta jolana iolanta
yulia yulya julie
yvonne ivona
zdenka zdena
zhanna jeanne
zinaida zina
zofia zosia sophie sofia
zoya zoe
zsofia zsofi sophia
zuzana zuzka susan
zuzanna zuza
"""

FEMALE_NAMES = """\
adelina adriane adrienn adrienne agne agneta aida aimee aizada alba albertina albina alejandrina
alevtina alma amanda amber ambre amina amira amparo amra anahit anais anat andjela andreea andrijana
aneta anfisa angeles angels aniko anjali anke annamaria antonella anupama anuradha anush aparna
araceli asha ashleigh asli asta astrid audrey auguste aurelia ava aya ayelet aysel azra bahar
barbare barbora batia belen berit betul beyza bhakti bibisara biljana biserka bodil borislava bozena
branka brenda brit brooke bruna busra cansu carolyn celeste cezara chantal charlene chelsea chloe
christelle cindy clarice clementine clotilde colette consuelo coral corina corinne csilla cynthia
daiana dalia danica danuta darina dawn deepa defne deirdre denise dilara dilnoza dimitra dina dinara
divya dolores dolors donna dorit dragana dragica dubravka dusanka dusica duygu ebba ebru ece ecem
ecrin edina edwige eesha eftychia einat elaine eliana elif elifnaz elina eline eliska elke elmira
elodie eloise elsie elvira elvire emese emina emine encarnacion erna ernestina esmeralda eulalia
evangelia evanthia eylul ezgi fabiana fabienne fabiola faina farida federica felicia felicity
fernanda fiona fiorella flavia fotini frauke galit gamze gemma geraldine gergana gerlinde gesa
ghazal ginevra giselle gizem gloria gordana graciela grazyna gudrun guliskhan gulnaz gulsah gunda
gwen gyongyi gyorgyi hadas hajnalka hana harika harriet hazel heather heidi heidrun heike hella
heloise hilda hilde hildegard hripsime hulya ia iben ida ilana ildiko ilze imke imogen inga ingeborg
ingrid inka inmaculada irem iris irit irmgard ishita isidora ivelina iveta ivy jadranka janice jasna
jayanti jazmin jelica jill jitka jovana joyce juliane jurate kalina karine katinka katiya keren
khatuna krasimira kristel kristyna kubra kyriaki laia laima laine lala lavra leena lela leonie lepa
liana liane liat libuse ligia lilla linda liv livia lola loredana lorena lorraine lourdes luana
luciana ludovica luminita luna lusine mabel madhuri maiken maite maka malika manana manuela marcia
mareike margaux margita margriet mariangel mariangela maribel marilyn marine marinela mariola
marisol maristella marjolein marjorie marleen maureen mayra medea meera melike melinda merete meri
merve meryem mette michalina milagros milana mildred mileva milica millie milunka mirna muriel
narmin natasja natela nava nazanin nazli nedyalka nele nerea neus nevena nieves nikolett nikolina
nisha noelia norma noura nuria odette olivera olivia ophelia orly orna orsula oyku ozge ozlem
padmini pallavi paloma paraskevi parisa pelin petronella phyllis pia pilar piroska priya priyanka
purificacion rada radka radmila radoslava rafaela ragnhild ralica ralitsa raluca ramina ramona ramya
rania regine reina reka remedios roberta rocio rodica rohini romana romina rosalind roser rosmarie
roswitha ruby rumeysa ruxandra sabina sabrina sahar sakshi salma samantha samira saranya saskia
savitri selena selin selma serena sevda severine sevgi sharon sheila shima shira shirin shirley
shreya sibel sigal signe sigrid sila silja silke silvana simina simonetta sinem sini siranush siri
slavica slavka slobodanka smiljana sneha snezka solange soledad solveig solvita sona sonsoles sorina
stanka stavroula stina stoyanka svenja tali tanita tanvi tarini tarja teodora thelma tiffany tijana
timea tinatin tirza tove trinidad tsveta tsvetelina tugba turid turkan tuula vaishali valbona
vandana vanessa varsha vasiliki velislava ventsislava vesna vibeke vidya vigdis viorica vita vjera
vlasta wafa wendy wieslawa yamila yanka yasaman yesenia yohanna yoko zaklina zara zehra zhuldyz zita
zlata zora zorica zvezda
"""

# Names of both men and women, in one country or in two.
SHARED_NAMES = """\
adel adi aime alaa aleks alex alexis alison alisson alla amal amel amor ananya andrea andree andy
ani ashley aubrey aude aydan bela billie bobbie camille carol casey chandra charlie chris conny cruz
dana dani daniele deniz devi dominique eli elia elisha eman emanuele emile emin farah flo fran
frankie gabi gabriele gaby gia gio hanan harsha hedi hilary ilkay iman inge isa jackie jamie janne
jasmin jay jen jess jessie jo joan jody joy june justine jyoti kadri kai kaja karen kari karol kaya
kelly kim kiran krishna kristen laurence laurie laxmi lee leigh leslie lior ljuba loan lou luca
madison magdi malak malek manel mar mari marian marion mattie mehr mel mia michele mickey micky mika
mina mirza misa misha miska mitra morgan nana nicky nicola nihal nika niki nikola nil nino noa nour
nur pasha pat petya prasanna raja ran rana renee rida rio robbie robin roni ronit ronnie rosario
saba sabah sacha sai salome sam sandi sandy sasa sascha sasha shadi shahar shannon shura si sidney
simone slava sol soumya stacy stef stevie surya sydney tal terry toma toni tracy valentine valery
vali valya vania vanja vanya vasia vasya vivian vivien vlada yael yagmur yan yi yu zana zane zhenya
"""

# Female forms of a man's name with a longer ending; -a, -e and -ya follow a rule.
FEMALE_OF_MALE = """\
adrian: adrienne
albert: albertina
alexander: alexandra alejandrina
amir: amira
anastasios: anastasia
andre: andree
angelos: angeliki
anton: antonia antonina antoinette antonieta antonella
carlos: carla
charles: charlotte caroline carolyn
christian: christine christina
christos: christina
clement: clementine
constantine: constanze
daniel: danielle daniela
dimitrios: dimitra
dusan: dusanka
emanuel: manuela
erich: erika
ernest: ernestina
eugene: eugenie
evangelos: evangelia
fabio: fabiola
farid: farida
francis: frances francine
francois: francoise
gabriel: gabrielle
george: georgina georgia
georgios: georgia
georgy: georgina georgia georgette
gerald: geraldine
henri: henriette
henry: henrietta harriet
ioan: ioana
ioannis: ioanna
ion: ioana
ivan: ivanka
jacques: jacqueline
jan: janina janine johanna
jean: jeanne
johann: johanna
johannes: johanna
john: jane joanna
josef: josefina josephine giuseppina josefa
julius: julia
karl: karolina caroline carola charlotte
kyriakos: kyriaki
ludwig: louise
luis: luisa luise
manuel: manuela
marcos: marcia
marcus: marcia
michael: michelle michaela
michel: michelle
nicholas: nicole
nikolai: nicole nikolina nikoleta
paul: paulina pauline paulette
pavel: pavlina pavla
peter: petra
rene: renee
simon: simona
slobodan: slobodanka
stefan: stephanie
stepan: stepanka stefania
stoyan: stoyanka
vasilios: vasiliki
wilhelm: wilhelmina
yordan: yordanka
yves: yvonne
zdenek: zdenka
"""
