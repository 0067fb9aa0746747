/** Codes of authenticator apps (RFC 6238): six digits, from a shared secret and the half minute of the clock. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Seconds for which an app shows a code. */
const PERIOD = 30
const DIGITS = 6
/** Codes before and after the present one that are taken: telephones are not exact, and people take time to type. */
const AROUND = 1
/** How far off a clock may be for us to recognise it: five minutes either way. Such codes are not taken, but explained. */
const RECOGNISED = 10

/** The half minute in which a moment, in seconds, lies. */
export const totpStepAt = (seconds: number): number => Math.floor(seconds / PERIOD)

/** The code of one half minute (RFC 4226). */
export function totpCodeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac[19]! & 0xf) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

type Verdict =
  | { readonly step: number }
  | { readonly refused: 'code_wrong' | 'code_used' }
  | { readonly refused: 'code_clock'; readonly minutes: number }

/**
 * Whether a code is one of the secret's now. `lastStep`: the half minute of the last code that was taken; it and all
 * before it are used up. A code of a clock that is minutes off is not taken, and told apart from a wrong one.
 */
export function judgeCode(secret: Uint8Array, given: string, seconds: number, lastStep: number): Verdict {
  const now = totpStepAt(seconds)
  let found: number | undefined
  // All are compared, so that the time it takes tells nothing. The nearest wins.
  for (let off = RECOGNISED; off >= 0; off--)
    for (const step of [now - off, now + off])
      if (timingSafeEqual(Buffer.from(totpCodeOf(secret, step)), Buffer.from(given.padEnd(DIGITS).slice(0, DIGITS))))
        found = step
  if (found === undefined || given.length !== DIGITS) return { refused: 'code_wrong' }
  if (Math.abs(found - now) > AROUND)
    return { refused: 'code_clock', minutes: Math.max(1, Math.round((Math.abs(found - now) * PERIOD) / 60)) }
  return found <= lastStep ? { refused: 'code_used' } : { step: found }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** As apps and people write secrets (RFC 4648). */
export function base32(bytes: Uint8Array): string {
  let out = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) out += BASE32[(held >>> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return bits ? out + BASE32[(held << (5 - bits)) & 31]! : out
}

/** What the QR code says to an app. */
export const totpAddress = (secret: Uint8Array, issuer: string, account: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${new URLSearchParams({
    secret: base32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(PERIOD),
  })
    .toString()
    // Apps read a plus sign as one.
    .replaceAll('+', '%20')}`

/** A code as it is meant: spaces and dashes are for the eye, and digits may be those of the own script. */
export const plainCode = (given: string): string =>
  given
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[^\da-z]/gi, '')
    .toLowerCase()

/** How many recovery codes a person has at first. */
export const RECOVERY_CODES = 10
/** Of 50 random bits, ten letters and digits: two groups of five, without letters that look like digits. */
export function recoveryCode(random: Uint8Array): string {
  const text = base32(random).slice(0, 10).toLowerCase()
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

/** Whether somebody has to show a second factor after having shown a first one. */
export interface Factors {
  /** A way to show it is set up. */
  readonly has: boolean
  /** A role of the person demands it. */
  readonly required: boolean
  /** The university asks for it after this way of signing in. */
  readonly asked: boolean
}
export type NextStep = 'in' | 'prove' | 'enrol'
/** What comes after a first factor: the session, a code, or setting one up. */
export const nextStep = ({ has, required, asked }: Factors): NextStep =>
  !asked || !(has || required) ? 'in' : has ? 'prove' : 'enrol'
