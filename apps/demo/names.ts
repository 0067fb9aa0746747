/**
 * Egyptian personal names as pairs: Arabic, and the Latin form in the usual Egyptian spelling. A full name is built
 * from pairs, so the Latin name is always the transliteration of the Arabic one. Letters and spaces only, as the forms
 * for names allow.
 */

/** [Arabic, Latin] */
export type NamePair = readonly [string, string]

/** Names are drawn from one community at a time, so that no full name mixes names that never meet in one family. */
export type NamePool = { male: NamePair[]; female: NamePair[]; family: NamePair[] }

const parse = (text: string): NamePair[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [local, latin] = line.trim().split(' = ')
      return [local!, latin!] as const
    })

const COMMON_MALE = `
أحمد = Ahmed
محمد = Mohamed
محمود = Mahmoud
مصطفى = Mostafa
عمر = Omar
علي = Ali
يوسف = Youssef
إبراهيم = Ibrahim
خالد = Khaled
كريم = Karim
طارق = Tarek
حسن = Hassan
حسين = Hussein
عمرو = Amr
شريف = Sherif
هشام = Hesham
وليد = Walid
ياسر = Yasser
سامح = Sameh
تامر = Tamer
أيمن = Ayman
أشرف = Ashraf
عادل = Adel
جمال = Gamal
سعيد = Said
رضا = Reda
حسام = Hossam
إسلام = Islam
عبد الرحمن = Abdelrahman
عبد الله = Abdallah
عبد العزيز = Abdelaziz
عبد الفتاح = Abdelfattah
عبد الحميد = Abdelhamid
عبد المنعم = Abdelmoneim
عبد اللطيف = Abdellatif
زياد = Ziad
مروان = Marwan
سيف = Seif
آدم = Adam
مازن = Mazen
حمزة = Hamza
بلال = Belal
أنس = Anas
معتز = Moataz
مؤمن = Momen
فارس = Fares
ماهر = Maher
نبيل = Nabil
صلاح = Salah
فتحي = Fathy
صبري = Sabry
رمضان = Ramadan
شعبان = Shaaban
ربيع = Rabie
جابر = Gaber
سمير = Samir
منير = Mounir
حازم = Hazem
هاني = Hany
باسم = Bassem
`

const COMMON_FEMALE = `
فاطمة = Fatma
مريم = Mariam
نور = Nour
سارة = Sara
آية = Aya
إسراء = Esraa
هاجر = Hagar
ندى = Nada
منة الله = Menatallah
حبيبة = Habiba
جنى = Jana
ملك = Malak
سلمى = Salma
ريم = Reem
دينا = Dina
هبة = Heba
إيمان = Iman
أسماء = Asmaa
زينب = Zeinab
رنا = Rana
ياسمين = Yasmin
شيماء = Shaimaa
أميرة = Amira
نورهان = Nourhan
روان = Rawan
فرح = Farah
لينا = Lina
مي = Mai
رحمة = Rahma
شهد = Shahd
دعاء = Doaa
نهى = Noha
غادة = Ghada
عبير = Abeer
هدى = Hoda
سمر = Samar
رضوى = Radwa
سهيلة = Sohaila
بسنت = Bassant
حنان = Hanan
منى = Mona
أمنية = Omnia
جميلة = Gamila
خديجة = Khadija
ليلى = Laila
ميار = Mayar
تقى = Toqa
آلاء = Alaa
علياء = Aliaa
نادين = Nadine
`

const COMMON_FAMILY = `
السيد = Elsayed
الشافعي = Elshafie
المصري = Elmasry
الجندي = Elgendy
النجار = Elnaggar
الحداد = Elhaddad
الشريف = Elsherif
البنا = Elbanna
عثمان = Osman
سليمان = Soliman
منصور = Mansour
شاهين = Shahin
غنيم = Ghoneim
حجازي = Hegazy
الدسوقي = Eldesouky
الطنطاوي = Eltantawy
البدوي = Elbadawy
المنشاوي = Elmenshawy
الرفاعي = Elrefaie
زيدان = Zidan
سالم = Salem
رزق = Rizk
فودة = Fouda
بركات = Barakat
القاضي = Elkady
العشري = Elashry
أبو العلا = Aboelela
أبو زيد = Abouzeid
أبو النصر = Aboelnasr
عبد الغفار = Abdelghaffar
عبد الهادي = Abdelhady
حمدي = Hamdy
عفيفي = Afifi
السعدني = Elsaadany
الغزالي = Elghazaly
خطاب = Khattab
عطية = Attia
الصاوي = Elsawy
الخولي = Elkholy
الديب = Eldeeb
شلبي = Shalaby
نصار = Nassar
مرسي = Morsy
بدران = Badran
زهران = Zahran
عاشور = Ashour
فرغلي = Farghaly
حسانين = Hassanein
قنديل = Kandil
الشناوي = Elshennawy
عوض = Awad
راشد = Rashed
الهواري = Elhawary
سلامة = Salama
درويش = Darwish
`

const COPTIC_MALE = `
مينا = Mina
مارك = Mark
بيتر = Peter
كيرلس = Kyrillos
أندرو = Andrew
جورج = George
بيشوي = Bishoy
فادي = Fady
مايكل = Michael
رامي = Ramy
عماد = Emad
نادر = Nader
عزت = Ezzat
سمير = Samir
منير = Mounir
نبيل = Nabil
مجدي = Magdy
هاني = Hany
وجيه = Wagih
رأفت = Raafat
صبحي = Sobhy
جرجس = Girgis
حنا = Hanna
عادل = Adel
`

const COPTIC_FEMALE = `
مارينا = Marina
مريم = Mariam
ماريا = Maria
كريستين = Christine
مادونا = Madonna
فيرونيا = Veronia
نانسي = Nancy
ساندي = Sandy
مونيكا = Monica
إيريني = Irini
يوستينا = Youstina
ميرنا = Mirna
نردين = Nardine
ديانا = Diana
`

const COPTIC_FAMILY = `
بطرس = Boutros
غالي = Ghali
شنودة = Shenouda
تادرس = Tadros
عبد المسيح = Abdelmessih
عبد الملاك = Abdelmalak
إسحق = Ishak
فلتس = Feltes
بشارة = Bishara
ميخائيل = Mikhail
يعقوب = Yacoub
سعد الله = Saadallah
جندي = Gendy
برسوم = Barsoum
مقار = Makar
واصف = Wassef
`

const ARAB_FAMILY = `
العتيبي = Alotaibi
القحطاني = Alqahtani
الحسيني = Alhusseini
الخطيب = Alkhatib
الحلبي = Alhalabi
الشامي = Alshami
الزبيدي = Alzubaidi
النابلسي = Alnabulsi
الترابي = Alturabi
الطرابلسي = Altarabulsi
الصنعاني = Alsanaani
الحضرمي = Alhadrami
المقدسي = Almaqdisi
الفيتوري = Alfaitouri
الكردفاني = Alkordofani
`

/** Most Egyptian names. */
export const COMMON: NamePool = {
  male: parse(COMMON_MALE),
  female: parse(COMMON_FEMALE),
  family: parse(COMMON_FAMILY),
}

/** Names of Coptic families. */
export const COPTIC: NamePool = {
  male: parse(COPTIC_MALE),
  female: parse(COPTIC_FEMALE),
  family: parse(COPTIC_FAMILY),
}

/** Students from other Arab countries: the same given names, other family names. */
export const ARAB: NamePool = { male: COMMON.male, female: COMMON.female, family: parse(ARAB_FAMILY) }

/**
 * Countries whose citizens study in the demo, as their nationalities. 64 is the number of the documents for Egypt; a loader that has its own country table
 * maps the others by `code` (ISO 3166-1).
 */
export const NATIONALITIES = [
  { id: 64, code: 'EG', name: 'Egypt', name_local: 'مصر' },
  { id: 207, code: 'SD', name: 'Sudan', name_local: 'السودان' },
  { id: 191, code: 'SA', name: 'Saudi Arabia', name_local: 'السعودية' },
  { id: 213, code: 'SY', name: 'Syria', name_local: 'سوريا' },
  { id: 168, code: 'PS', name: 'Palestine', name_local: 'فلسطين' },
  { id: 124, code: 'LY', name: 'Libya', name_local: 'ليبيا' },
  { id: 111, code: 'JO', name: 'Jordan', name_local: 'الأردن' },
  { id: 243, code: 'YE', name: 'Yemen', name_local: 'اليمن' },
] as const

/** Governorates with the two digits they have in a national id, and roughly how many students come from each. */
export const GOVERNORATES = [
  { code: '02', name: 'Alexandria', name_local: 'الإسكندرية', weight: 34 },
  { code: '18', name: 'Beheira', name_local: 'البحيرة', weight: 20 },
  { code: '15', name: 'Kafr El Sheikh', name_local: 'كفر الشيخ', weight: 9 },
  { code: '16', name: 'Gharbia', name_local: 'الغربية', weight: 9 },
  { code: '01', name: 'Cairo', name_local: 'القاهرة', weight: 8 },
  { code: '12', name: 'Dakahlia', name_local: 'الدقهلية', weight: 6 },
  { code: '17', name: 'Monufia', name_local: 'المنوفية', weight: 5 },
  { code: '21', name: 'Giza', name_local: 'الجيزة', weight: 4 },
  { code: '33', name: 'Matrouh', name_local: 'مطروح', weight: 3 },
  { code: '23', name: 'Faiyum', name_local: 'الفيوم', weight: 2 },
] as const
