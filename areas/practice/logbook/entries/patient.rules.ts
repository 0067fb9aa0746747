/**
 * Keeps data by which a patient is known out of logbooks: names, numbers of people and files, addresses, dates of birth, in
 * English and Arabic, with digits of both. Pure functions; the phone asks them while something is typed, the server before it is stored.
 */
import type { Reason } from '#kit/contract/issues.ts'

/** Given names that are no words of medicine: what is also a word ("Grace", "كريم", "حسن") is caught after a title alone. */
const NAMES = new Set(
  `ahmed ahmad mohamed mohammed muhammad mohammad mahmoud mostafa mustafa ibrahim ismail youssef yousef yusuf omar
othman osman hussein hussain hossam tarek tariq khaled khalid walid waleed ashraf ayman amr karim magdy
sherif mina george girgis peter bishoy kyrillos fatma fatima aisha zeinab zainab mariam maryam nadia hanan
samira soad suad nagwa naglaa heba doaa eman asmaa shaimaa yasmin nourhan habiba malak marwa rania dalia mona hoda
saeed sayed abdallah abdullah abdelrahman abdulrahman abdelaziz gamal nasser sami samir hamza bilal yassin
john michael david james robert william thomas maria anna sarah fatou pedro joao jose carlos pierre jean hans klaus`.split(
    /\s+/,
  ),
)
const ARABIC_NAMES = new Set(
  `احمد محمد محمود مصطفي ابراهيم اسماعيل يوسف عمر عثمان حسين حسام طارق خالد وليد اشرف ايمن عمرو مجدي شريف مينا
جرجس بيشوي كيرلس فاطمه عائشه زينب مريم ناديه حنان سميره سعاد نجوي نجلاء هبه دعاء اسماء شيماء ياسمين نورهان حبيبه
مروه رانيا داليا هدي السيد عبدالله عبدالرحمن عبدالعزيز جمال ناصر سامي سمير حمزه بلال ياسين علي حسن كريم مني امل ايمان سيد`
    .split(/\s+/)
    .filter(Boolean),
)
/** Names that are words as well: never by themselves. */
const ALSO_WORDS = new Set([
  'علي',
  'حسن',
  'كريم',
  'مني',
  'امل',
  'ايمان',
  'سيد',
  'السيد',
  'دعاء',
  'اسماء',
  'هدي',
  'جمال',
])

const ARABIC_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g
/** Digits of all writings as one, no marks that are not seen, one space between words. */
const visibleText = (text: string): string =>
  text
    .replaceAll(ARABIC_DIGITS, (one) => String(one.charCodeAt(0) & 0xf))
    .normalize('NFKC')
    .replaceAll(/[\u064B-\u065F\u0670\u0640\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
/** Arabic letters that are written one way or the other as one. */
const folded = (word: string): string =>
  word
    .replaceAll(/[أإآٱ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه')
const isArabicName = (word: string): boolean => ARABIC_NAMES.has(folded(word))
const isName = (word: string): boolean => NAMES.has(word.toLowerCase())

interface Found {
  readonly code: string
  readonly found: string
}
const all = (text: string, pattern: RegExp): RegExpExecArray[] => [...text.matchAll(pattern)]

const EMAIL = /[\w.+-]+\s?(?:@|\[at\]|\(at\))\s?[\w-]+(?:\s?(?:\.|\[dot\])\s?[a-z]{2,})+/giu
const DAY = String.raw`(?:\d{1,2}\s?[/.\-]\s?\d{1,2}\s?[/.\-]\s?\d{2,4}|\d{4}\s?[/.\-]\s?\d{1,2}\s?[/.\-]\s?\d{1,2}|(?:19|20)\d\d|\d{1,2} [\p{L}]{3,10} (?:19|20)\d\d)`
const BIRTH = new RegExp(
  String.raw`(?:\b(?:born|d\.?\s?o\.?\s?b\.?|date of birth|birth ?date|birthday|birth|né(?:e)?(?: le)?|geboren(?: am)?|nascid[oa](?: em)?)|مواليد|تاريخ (?:ال)?ميلاد\p{L}*|(?:و)?ولد(?:ت)?|ت\.? ?الميلاد|الميلاد)[\s:=\-–]{0,4}(?:in |on |the |is |عام |سنة |في |يوم |بتاريخ ){0,2}(${DAY})`,
  'giu',
)
const FILE = new RegExp(
  String.raw`(?:\b(?:mrn|m\.r\.n\.?|file|hospital|patient|record|chart|admission|ticket|case sheet|medical record|national|insurance|akte|dossier|processo)\s?(?:no|nr|num|number|id|n°|#)?\b\s?\.?|رقم (?:ال)?(?:ملف|مريض\p{L}*|تذكرة|قيد|دخول|حالة|طبي|سجل|كارنيه|تأمين|بطاقة)\p{L}*(?: الطبي)?|(?:ال)?ملف رقم|(?:ال)?تذكرة رقم|الرقم (?:الطبي|القومي|التأميني))(\s?[:=#\-–]?\s?)((?:[a-z]{1,4}[-/ ]?)?\d[\d/-]{1,})`,
  'giu',
)
/** Words after which a number alone is of a file; without one of "no", "#", ":" "patient 12" and "file 12" say nothing. */
const SAYS_NUMBER = /\b(?:mrn|m\.r\.n|no|nr|num|number|id|n°)\b|[#:=]|رقم|الرقم|n°/iu
/** Digits in one piece, or parted as numbers of telephones are. */
const LONG = /(?<![\d.,])\+?\d(?:[ \-().]{0,2}\d){6,}(?![\d])/gu
const MOBILE = /^(?:\+|00)?(?:\d{1,3})?0?1[0125]\d{8}$/

/** Numbers of people and telephones; measurements, doses, dates and pressures are shorter, or written otherwise. */
function numbersIn(text: string): Found[] {
  return all(text, LONG).flatMap(([raw]) => {
    const digits = raw.replaceAll(/\D/g, '')
    const found = raw.trim()
    // A day and a time, or days side by side: 2026-11-30 14:20, 12-11-2026.
    if (/^(?:\d{4}[-. ]\d{1,2}[-. ]\d{1,2}|\d{1,2}[-. ]\d{1,2}[-. ]\d{4})(?:[ \-().]{0,2}\d{1,4}){0,3}$/.test(found))
      return []
    if (/^[23]\d{13}$/.test(digits)) return [{ code: 'logbook_national_id', found }]
    if (MOBILE.test(digits) && digits.length >= 10) return [{ code: 'logbook_phone', found }]
    if (/^\+|^00/.test(found) && digits.length >= 9) return [{ code: 'logbook_phone', found }]
    if (/^0\d{8,9}$/.test(digits) && !found.includes('.')) return [{ code: 'logbook_phone', found }]
    // Values in a row ("120 80 37 98") are parted by spaces: a number of a person is not, in its first nine digits.
    const longest = Math.max(...found.split(/[^\d]+/).map((part) => part.length))
    if (longest >= 9) return [{ code: 'logbook_national_id', found }]
    return []
  })
}

const PROFESSION =
  /(?:\b(?:dr|doctor|prof|professor|consultant|nurse)\.?|(?:^|\s)(?:د|أ\.? ?د|دكتور\p{L}*|الدكتور\p{L}*|استاذ|الأستاذ الدكتور|ممرض\p{L}*|الممرض\p{L}*|م)\.?) $/iu
/** The words before, to tell whose name it is: of those who treat, names may stand. */
const ofStaff = (text: string, at: number): boolean =>
  PROFESSION.test(text.slice(Math.max(0, at - 24), at).replace(/\/\s?/, ' '))

const TITLE =
  /(?<![\p{L}])(Mr|Mrs|Ms|Miss|Mister|Madam|Mme|Monsieur|Madame|Herr|Frau|Sr|Sra|Senhor|Senhora)\.? (\p{Lu}[\p{L}'’-]+)/gu
const ANY_TITLE =
  /(?<![\p{L}])(?:mr|mrs|ms|miss|patient|pt|named|called|name|boy|girl|child|baby|lady|man|woman)\.?[ :]{1,3}(\p{L}+)/giu
const NAME_IS =
  /(?<![\p{L}])(?:patient(?:'s)? name|pt\.? name|full name|name of (?:the )?patient|name)\s?(?:is|:|=)\s?(\p{Lu}[\p{L}'’-]+)/giu
const ARABIC_TITLE =
  /(?<![\p{L}])(?:السيد|السيدة|الانسة|الآنسة|الحاج|الحاجة|الحاجه|الشيخ|المدعو|المدعوة|اسمه|اسمها|يدعى|تدعى|مدام|أم|ام|أبو|ابو|عم|طنط) (\p{L}{2,})(?: (\p{L}{2,}))?/gu
const ARABIC_NAME_IS = /(?<![\p{L}])(?:اسم (?:ال)?(?:مريض|مريضة|حالة|طفل|طفلة)|الاسم)\s?[:=]?\s?(\p{L}{2,})/gu
const ARABIC_PERSON =
  /(?<![\p{L}])(?:ل|لل|و|ب)?(?:ال)?(?:مريض|مريضة|مريضه|حالة|طفل|طفلة|طفله|رضيع|رجل|سيدة|شاب|شابة|حاج) (\p{L}{2,})/gu
/** What follows such words and is no name. */
const NO_NAME =
  /^(?:of|with|was|is|the|a|and|in|on|at|not|who|said|unknown|withheld|anonymous|x|patient|يعاني|تعاني|كان|كانت|من|في|على|الى|إلى|مصاب|مصابة|غير|لا|مع|عمر[هها]?|يبلغ|تبلغ|الاول|الاولى|الدم|الدرم|المخ|درم|المعدة|الجلد|مجهول|مجهولة|محجوب|المريض|المريضة|المشرف|الطبيب|الطبيبة|رئيس|مدير|استاذ|عام|الحالة|العملية)$/iu
const STRONG = /^(?:السيد|السيدة|الانسة|الآنسة|الحاج|الحاجة|الحاجه|المدعو|المدعوة|مدام)/u

function namesIn(text: string): Found[] {
  const out: Found[] = []
  const say = (found: string) => out.push({ code: 'logbook_patient_name', found: found.trim() })
  for (const hit of all(text, TITLE)) if (!NO_NAME.test(hit[2]!)) say(hit[0])
  for (const hit of all(text, ANY_TITLE)) if (isName(hit[1]!)) say(hit[0])
  for (const hit of all(text, NAME_IS)) if (!NO_NAME.test(hit[1]!)) say(hit[0])
  for (const hit of all(text, ARABIC_NAME_IS)) if (!NO_NAME.test(hit[1]!)) say(hit[0])
  for (const hit of all(text, ARABIC_TITLE)) {
    const next = hit[1]!
    if (NO_NAME.test(next) || /^(?:الدكتور|المشرف|الاستاذ|الأستاذ|الطبيب)/u.test(next)) continue
    if (STRONG.test(hit[0]) || /^(?:اسم|يدعى|تدعى)/u.test(hit[0]) ? true : isArabicName(next)) say(hit[0])
  }
  for (const hit of all(text, ARABIC_PERSON)) {
    const word = folded(hit[1]!)
    if (isArabicName(word) && !ALSO_WORDS.has(word)) say(hit[0])
  }
  // A given name and another one after it, wherever they stand: not of those who treat.
  for (const hit of all(text, /(?<![\p{L}])(\p{L}+)(?= (\p{L}+))/gu)) {
    const [, first = '', second = ''] = hit
    const two = `${first} ${second}`
    const latin = isName(first) && isName(second)
    const arabic =
      isArabicName(first) && isArabicName(second) && !(ALSO_WORDS.has(folded(first)) && ALSO_WORDS.has(folded(second)))
    if ((latin || (arabic && !ALSO_WORDS.has(folded(first)))) && !ofStaff(text, hit.index)) say(two)
  }
  return out
}

/**
 * Everything in a note by which a patient could be known, each with what was found: take it out, the case is told without it.
 *
 * @param field where it is told
 */
export function patientData(note: string | null | undefined, field = 'note'): Reason[] {
  const text = visibleText(note ?? '')
  if (!text) return []
  const births = all(text, BIRTH).map(([found]) => ({ code: 'logbook_birth', found: found.trim() }))
  const files = all(text, FILE)
    .filter(
      ([found, , number = '']) => SAYS_NUMBER.test(found.slice(0, found.length - number.length)) || /mrn/i.test(found),
    )
    .map(([found]) => ({ code: 'logbook_file_number', found: found.trim() }))
  const emails = all(text, EMAIL).map(([found]) => ({ code: 'logbook_email', found }))
  // What was told as one thing is not told again as another: a number of a file is no telephone too.
  const rest = [...births, ...files, ...emails].reduce((left, { found }) => left.replaceAll(found, ' · '), text)
  const seen = new Set<string>()
  return [...namesIn(rest), ...numbersIn(rest), ...births, ...files, ...emails].flatMap(({ code, found }) => {
    const key = `${code} ${found}`
    if (seen.has(key)) return []
    seen.add(key)
    return [{ field, code, data: { found } }]
  })
}
