import type { Label, Language, Ref } from '#kit/contract/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { nameOf } from '#kit/web/i18n/index.ts'
import type { OtherPayer } from './payer.contract.ts'
import shared from '../money.module.css'

interface Paying {
  readonly student: Ref | null
  readonly payer: OtherPayer | null
}

/** What the column of who pays is called: not only students do. */
export const PAYER: Label = ['Payer', 'الدافع']

/** Who pays, with the code: a student, an applicant, a sponsor. */
export function PayerName({ of: { student, payer } }: { of: Paying }) {
  const who = student ?? payer
  return who ? (
    <span className={shared.two}>
      <Name row={who} />
      <small>
        <Code>{who.code}</Code>
      </small>
    </span>
  ) : (
    '–'
  )
}

/** What the payer of a row is called, after `before`; nothing where there is none. */
export const payerCalled = ({ student, payer }: Partial<Paying>, lang: Language, before = ''): string => {
  const who = student ?? payer
  return who ? `${before}${nameOf(who, lang)}` : ''
}
