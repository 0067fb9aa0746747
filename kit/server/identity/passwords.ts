import { hash, verify } from '@node-rs/argon2'
import { availableParallelism } from 'node:os'
import { PASSWORD_MIN } from '#kit/contract/password.ts'
import { isBreached } from './breached.ts'
import { COMMON_WORDS } from './common-passwords.ts'
import { refuse } from '../base/errors.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. The library's default algorithm is argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One text, whatever keyboard it was typed on. */
const normal = (password: string): string => password.normalize('NFKC')

/** At most as many hashes at once as there are cores: the thread pool also serves files and names. */
const places = availableParallelism()
let running = 0
const waiting: (() => void)[] = []
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= places) await new Promise<void>((go) => waiting.push(go))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** Hash of a password in PHC form, for `users.password_hash`. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(normal(password), COST))

let stranger: Promise<string> | undefined
/**
 * Whether the password is that of the hash. Without a hash (unknown account, or one without password) it takes as
 * long, and is false.
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  stranger ??= hashPassword('nobody has this password')
  const against = stored ?? (await stranger)
  const same = await inTurn(() => verify(against, normal(password))).catch(() => false)
  return same && Boolean(stored)
}

const reversed = (s: string): string => [...s].toReversed().join('')
const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}
const LINES = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
  '1qaz2wsx3edc4rfv',
]

/** Letters and digits that follow each other on a keyboard or in the alphabet, or repeat. */
function isPattern(text: string): boolean {
  if (new Set(text).size <= 3) return true
  let steps = 0
  for (let i = 1; i < text.length; i++) {
    const pair = text.slice(i - 1, i + 1)
    if (LINES.some((line) => line.includes(pair) || line.includes(reversed(pair))) || pair[0] === pair[1]) steps++
  }
  return steps >= (text.length - 1) * 0.8
}

/** One spelling of Arabic: alef, taa marbuta and yaa in their plain forms, without vowel signs and stretching. */
const plainArabic = (text: string): string =>
  text
    .replace(/[\u064B-\u0652\u0670\u0640]/g, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replaceAll('ة', 'ه')
    .replaceAll('ى', 'ي')
const wordsOf = (text: string): string[] => plainArabic(normal(text).toLowerCase()).split(/[^\p{L}\p{N}]+/u)
/** Digits that stand for Arabic letters where one writes Arabic in Latin ones. */
const ARABIZI: Readonly<Record<string, string>> = {
  '2': 'a',
  '3': 'a',
  '4': 'sh',
  '5': 'kh',
  '6': 't',
  '7': 'h',
  '8': 'gh',
  '9': 's',
}
const COMMON: ReadonlySet<string> = new Set([...COMMON_WORDS].map(plainArabic))
/** Words that say nothing of which university it is, and may stand beside a name. */
const FILL: ReadonlySet<string> = new Set([
  ...wordsOf('university college academy institute faculty student students the of and for in at edu ac org com net'),
  ...wordsOf('جامعة الجامعة كلية الكلية معهد المعهد أكاديمية الأكاديمية طالب طلاب في من و'),
])
/** Top level domains and the like: too short, or in every address. */
const IN_EVERY_ADDRESS: ReadonlySet<string> = new Set([
  'www',
  'mail',
  'ems',
  'http',
  'https',
  'localhost',
  'example',
  'edu',
  'com',
  'org',
  'net',
])

/**
 * Words that say which university it is, in Latin and Arabic letters: of its names, and of the domains of its addresses.
 *
 * @example placesOf(['Nile University', 'جامعة النيل', 'nile.edu.eg'])
 */
export function placesOf(texts: readonly string[]): ReadonlySet<string> {
  const words = texts.flatMap((text) => {
    const all = wordsOf(text).filter((word) => word && !IN_EVERY_ADDRESS.has(word))
    const telling = all.filter((word) => word.length >= 3 && !FILL.has(word))
    const initials = all.map((word) => word[0]).join('')
    return [
      ...telling,
      // Without the article as well.
      ...telling.filter((word) => word.startsWith('ال') && word.length >= 5).map((word) => word.slice(2)),
      ...(initials.length >= 3 && all.length >= 3 ? [initials] : []),
    ]
  })
  return new Set(words)
}

/** Whether a text is made of such words alone, whatever stands between them; digits and signs around them count little. */
function madeOf(text: string, known: (word: string) => boolean): boolean {
  const letters = text.replace(/[^\p{L}]+/gu, ' ').trim()
  if (letters === '') return false
  if (text.replace(/[\p{L}\s]/gu, '').length > 8) return false
  const words = letters.split(' ')
  const whole = (word: string): boolean => {
    // The words of which it may be put together without a sign, from each place on.
    const from: boolean[] = Array.from({ length: word.length + 1 }, () => false)
    from[word.length] = true
    for (let i = word.length - 1; i >= 0; i--)
      for (let j = i + 2; j <= word.length && !from[i]; j++) from[i] = from[j]! && known(word.slice(i, j))
    return from[0]!
  }
  return words.every((word) => word.length <= 2 || whole(word)) && words.some((word) => word.length > 2)
}
/** A text in the dresses that people put on it. */
function dressesOf(password: string): string[] {
  const text = plainArabic(normal(password).toLowerCase())
  return [
    text,
    text.replace(/./gu, (c) => LEET[c] ?? c),
    // A digit stands for a letter only before other letters: years and numbers end a word.
    text.replace(/[2-9](?=\p{L})/gu, (c) => ARABIZI[c] ?? c),
  ]
}
/** Whether a password only says where one studies or works. */
const saysWhere = (password: string, places: ReadonlySet<string>): boolean =>
  places.size > 0 &&
  dressesOf(password).some(
    (text) =>
      [...places].some((place) => text.includes(place)) &&
      madeOf(
        text,
        (word) =>
          places.has(word) || FILL.has(word) || COMMON.has(word) || (word.length === 2 && IN_EVERY_ADDRESS.has(word)),
      ),
  )

/** Whether attackers would try the password early. `about`: what belongs to the person (name, e-mail). */
export function isKnownPassword(password: string, about: readonly string[] = []): boolean {
  const [text = '', plain = '', latin = ''] = dressesOf(password)
  const own = about.flatMap((s) => wordsOf(s.split('@')[0]!)).filter((s) => s.length >= 3)
  const known = (word: string) => COMMON.has(word) || own.includes(word)
  // A known word, or several, with digits and signs before, between and after.
  const consistsOfKnown = (s: string): boolean => {
    const letters = s.replace(/[^\p{L}]+/gu, ' ').trim()
    if (letters === '') return new Set(s).size < 7
    const words = letters.split(' ')
    const joined = words.join('')
    const half = joined.slice(0, joined.length / 2)
    if (half.length >= 3 && joined === half + half && known(half)) return true
    if (known(joined) || words.every((w) => w.length <= 2 || known(w))) return s.replace(/[\p{L}]/gu, '').length <= 8
    // Two known words without a sign between them.
    for (let i = 3; i <= joined.length - 3; i++) if (known(joined.slice(0, i)) && known(joined.slice(i))) return true
    return false
  }
  return (
    isPattern(text) ||
    consistsOfKnown(text) ||
    consistsOfKnown(plain) ||
    consistsOfKnown(latin) ||
    (own.includes(text) && text.length > 0)
  )
}

/**
 * Refuses a new password that is too short, contains names of the university (`placesOf`), or is known to attackers.
 *
 * @throws {Refusal} 422 `password_too_short`, `password_university` or `password_breached`, at `field`
 */
export function checkPassword(
  password: string,
  about: readonly string[] = [],
  places: ReadonlySet<string> = new Set(),
  field = 'password',
): void {
  if ([...normal(password)].length < PASSWORD_MIN) throw refuse(422, 'password_too_short', { min: PASSWORD_MIN }, field)
  if (saysWhere(password, places)) throw refuse(422, 'password_university', {}, field)
  if (isKnownPassword(password, about) || isBreached(password)) throw refuse(422, 'password_breached', {}, field)
}
