/**
 * Words that passwords known to attackers are built from, without the digits and signs people put around them
 * (`checkPassword` takes those away first). From the lists of most frequent passwords that breaches made public, and
 * what people of a university in Egypt are fond of.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `password passwort passwords passw0rd motdepasse contrasena senha parola kalimatsir passe pass passcode mypassword thepassword
  newpassword changeme changeit letmein welcome willkommen bienvenue bemvindo admin administrator adminadmin root toor superuser
  guest default system sysadmin master login user username test testing tester testtest temp temporary secret topsecret private
  access open opensesame sesame hello hellohello helloworld hallo bonjour salam marhaba ahlan
  qwerty qwertz azerty qwertyuiop qwertzuiop azertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc qweasd qweasdzxc
  qwer qwert qweqwe asdasd zaqwsx wsxqaz poiuytrewq lkjhgfdsa mnbvcxz abc abcd abcde abcdef abcdefg abcdefgh abcdefghij
  iloveyou iloveu loveyou love lovely lover loveme mylove forever always together sweetheart darling honey babygirl babyboy baby
  princess prince queen king angel sunshine moonlight flower rainbow butterfly beautiful handsome chocolate cookie sugar candy
  football soccer basketball baseball hockey tennis volleyball swimming cricket golf rugby player champion winner goal
  liverpool chelsea arsenal barcelona realmadrid juventus manchester united bayern milan inter madrid ronaldo messi mosalah salah
  neymar zidane beckham alahly ahly zamalek ismaily almasry pyramids hala madrid pharaohs
  dragon monkey tiger lion eagle wolf falcon panther shadow phoenix dolphin horse puppy kitty kitten doggy bear bunny chicken
  superman batman spiderman ironman hulk joker pokemon pikachu naruto goku sasuke starwars matrix gandalf merlin hobbit harrypotter
  hunter killer ranger warrior ninja samurai soldier sniper maverick cowboy pirate knight viking assassin
  michael michelle jordan jennifer jessica ashley amanda daniel david robert thomas andrew joshua matthew charlie george william
  james richard patrick alexander nicole samantha hannah elizabeth victoria anthony justin brandon tyler maria
  mohamed mohammed muhammad mohammad mohamad ahmed ahmad mahmoud mostafa mustafa ibrahim abdallah abdullah abdelrahman abdulrahman
  khaled khalid omar omer hassan hussein hossam karim kareem youssef yousef yusuf amr tarek tariq sherif walid waleed yasser
  fatma fatima aisha aya mariam maryam nour noor salma sara sarah nada heba hoda mona dina rana reem yasmin yasmine menna habiba
  allah bismillah alhamdulillah subhanallah mashallah inshallah allahakbar lailahaillallah quran islam muslim makkah madinah
  jesus christ jesuschrist church godisgood blessed faith
  egypt cairo alexandria giza aswan luxor mansoura tanta assiut sohag zagazig benha minya fayoum masr misr elmasry saudi riyadh
  dubai london paris berlin newyork america germany france portugal lisboa brasil
  university universityems college school student students teacher doctor professor engineer lecturer faculty exam exams grade
  grades marks registrar education graduation science medicine pharmacy engineering ems
  summer winter spring autumn january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday birthday
  computer internet google facebook instagram whatsapp youtube twitter microsoft windows apple iphone samsung android linkedin
  samsunggalaxy nokia huawei oracle database server
  money dollar pound diamond silver golden gold platinum crystal pepper ginger banana orange apple cherry cheese coffee
  mercedes ferrari porsche lamborghini toyota honda harley corvette mustang yamaha
  freedom liberty victory peace hope lucky happy smile friends friend family mother father mommy daddy brother sister
  metallica nirvana eminem rockstar music guitar dancer
  whatever nothing something anything nopassword idontknow dontknow forgetit blahblah blah asdfasdf trustno trustnoone
  fuckyou fuckme asshole bitch bastard sexy
  الله محمد احمد كلمةالسر كلمهالسر كلمةالمرور مرحبا بسمالله الحمدلله مصر القاهرة جامعة طالب حبيبي الاهلي الزمالك
  كلمة السر المرور سر باسورد باسوورد بسم الرحمن الرحيم الحمد لله سبحان سبحانالله استغفرالله اللهاكبر انشاءالله ماشاءالله توكلتعليالله
  يارب رب ياالله سلام السلام عليكم اهلا صباح الخير مساء النور محمود مصطفى علي عمر عثمان حسن حسين خالد يوسف ابراهيم اسماعيل عبدالله
  عبدالرحمن عبدالرحيم عبدالعزيز كريم طارق ياسر سامي سعيد فاطمة عائشة خديجة مريم زينب نور سارة منى هدى امل ايمان اسلام ياسمين
  حبيبتي حياتي قلبي عمري روحي حب بحبك احبك امي ابي ماما بابا اسرة عائلة اسكندرية الاسكندرية الجيزة طنطا المنصورة اسيوط سوهاج النيل
  الاهرام فلسطين القدس العراق سوريا الكويت السعودية الاردن المغرب تونس الجزائر ليبيا السودان اليمن لبنان طالبة استاذ دكتور مهندس
  habibi habibti habiby habibty hayati albi omri rohi bahebak bahebek ya yarab yarabb rabb rab allah bismillah bismelah alhamdulillah
  hamdulillah elhamdulillah elhamdolellah subhanallah astaghfirullah allahuakbar allahakbar inshallah enshallah inshaallah mashallah
  mashaallah wallah yalla sabah elkheir assalam alaikum salamalaikum mohamed mohammed muhammad mohamad ahmed ahmad mahmoud mahmood
  mostafa mustafa ali omar osman othman hassan hussein hossam khaled khalid youssef yousef ibrahim ismail abdallah abdullah
  abdelrahman abdulrahman abdelaziz karim kareem tarek yasser samy said fatma fatima aisha khadija mariam maryam zeinab nour noor sara
  sarah mona hoda amal eman iman islam yasmin yasmine mama baba ommi egypt cairo masr misr alexandria giza tanta mansoura assiut
  ahly elahly alahly ahlawy zamalek zamalkawy kelmetelsr kelmetserr klmtalsr kalimatalsir kalimatsir talib taleb gamaa gamea jamia
  jameaa doctor mohandes palestine alquds quds iraq syria kuwait saudi jordan morocco tunisia algeria libya sudan yemen lebanon`
    .trim()
    .split(/\s+/),
)
