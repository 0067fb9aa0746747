import { hash, verify } from '@node-rs/argon2'
import { availableParallelism } from 'node:os'
import { isBreached } from './breached.ts'
import { COMMON_WORDS } from './common-passwords.ts'
import { refuse } from './errors.ts'

/** Fewest characters of a password. */
export const PASSWORD_MIN = 10

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

/** Whether attackers would try the password early. `about`: what belongs to the person (name, e-mail). */
export function isKnownPassword(password: string, about: readonly string[] = []): boolean {
  const text = normal(password).toLowerCase()
  const plain = text.replace(/./gu, (c) => LEET[c] ?? c)
  const own = about
    .flatMap((s) =>
      s
        .toLowerCase()
        .split('@')[0]!
        .split(/[^\p{L}\p{N}]+/u),
    )
    .filter((s) => s.length >= 3)
  const known = (word: string) => COMMON_WORDS.has(word) || own.includes(word)
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
  return isPattern(text) || consistsOfKnown(text) || consistsOfKnown(plain) || (own.includes(text) && text.length > 0)
}

/**
 * Refuses a new password that is too short or known to attackers.
 *
 * @throws {Refusal} 422 `password_too_short` or `password_breached`, at `field`
 */
export function checkPassword(password: string, about: readonly string[] = [], field = 'password'): void {
  if ([...normal(password)].length < PASSWORD_MIN) throw refuse(422, 'password_too_short', { min: PASSWORD_MIN }, field)
  if (isKnownPassword(password, about) || isBreached(password)) throw refuse(422, 'password_breached', {}, field)
}
