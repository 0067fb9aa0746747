/** How bank accounts are written. */

interface Problem {
  readonly field: string
  readonly code: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** How many characters an IBAN of a country has (SWIFT's registry). Of a country that is not here the check digits decide. */
const LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
    'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
    'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
    'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** As machines write it: without spaces and hyphens, in capitals, in Latin digits. Null where nothing is left. */
export const writtenIban = (text: string | null | undefined): string | null =>
  (text ?? '')
    .replace(/[٠-٩]/g, (d) => String(d.charCodeAt(0) - 0x660))
    .replace(/[\s-]/g, '')
    .toUpperCase() || null

/** An IBAN as people read it: in groups of four. */
export const groupedIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')

/** Whether the check digits of an IBAN are right: the rest of the division by 97 is 1 (ISO 7064). */
const checks = (iban: string): boolean => {
  let rest = 0
  for (const letter of iban.slice(4) + iban.slice(0, 4)) {
    const value = letter <= '9' ? letter : String(letter.charCodeAt(0) - 55)
    for (const digit of value) rest = (rest * 10 + Number(digit)) % 97
  }
  return rest === 1
}

/** What is wrong with an IBAN, written as machines write it; null: nothing. */
export function ibanProblem(iban: string): Problem | null {
  const field = 'iban'
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(iban)) return { field, code: 'bank_iban_shape' }
  const length = LENGTHS[iban.slice(0, 2)]
  if (length !== undefined && iban.length !== length)
    return { field, code: 'bank_iban_length', data: { country: iban.slice(0, 2), length, found: iban.length } }
  return checks(iban) ? null : { field, code: 'bank_iban_check' }
}

export interface BankAccount {
  readonly account_number: string | null
  readonly iban: string | null
  readonly swift: string | null
}
/** Everything that is wrong with how an account is written. Empty: nothing. */
export function accountProblems({ account_number, iban, swift }: BankAccount): Problem[] {
  const out: Problem[] = []
  if (account_number && !/^[0-9A-Za-z][0-9A-Za-z ./-]{2,39}$/.test(account_number))
    out.push({ field: 'account_number', code: 'bank_account_number' })
  const wrong = iban ? ibanProblem(iban) : null
  if (wrong) out.push(wrong)
  if (swift && !/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(swift))
    out.push({ field: 'swift', code: 'bank_swift_shape' })
  // Of one country: an IBAN of Egypt at a bank of Germany is a slip of the pen.
  else if (swift && iban && !wrong && swift.slice(4, 6) !== iban.slice(0, 2))
    out.push({ field: 'swift', code: 'bank_swift_country', data: { swift: swift.slice(4, 6), iban: iban.slice(0, 2) } })
  return out
}
