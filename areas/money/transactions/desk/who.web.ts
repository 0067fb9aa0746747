import { PAYER_KINDS, type NamedPayer } from '#areas/money/ledger/payer.contract.ts'
import type { Label, Language } from '#kit/contract/index.ts'
import { nameOf } from '#kit/web/i18n/index.ts'
import type { Payer } from './desk.contract.ts'

/** How calls name who pays. */
export const namedAs = ({ student, payer }: Payer): { student_id?: number; applicant_id?: number } & NamedPayer =>
  student
    ? { student_id: student.id }
    : payer?.kind === 'staff'
      ? { staff_id: payer.id }
      : payer?.kind === 'guest'
        ? { guest_id: payer.id }
        : { applicant_id: payer?.id ?? 0 }

/** Whose wallet is charged and paid out at the desk; null of applicants: what they paid too much is given back by the transaction. */
export function walletOfPayer(of: Payer): WalletWhose | null {
  const { applicant_id, student_id, ...named } = namedAs(of)
  return applicant_id === undefined ? (student_id === undefined ? named : { student_id }) : null
}
export type WalletWhose = { readonly student_id: number } | NamedPayer

/** Where who pays belongs: the faculty, and what it is that is no student. */
export function whatPays({ faculty, payer }: Payer, lang: Language, say: (label: Label) => string): string {
  const kind = PAYER_KINDS.find(({ value }) => value === payer?.kind)
  return [...(kind ? [say(kind.label)] : []), ...(faculty ? [nameOf(faculty, lang)] : [])].join(' · ')
}
