/** A finding of the verification as a line of text, for who works without the screens. */
import type { SigningFinding } from './signing.contract.ts'

const NAMES: Readonly<Record<SigningFinding['kind'], string>> = {
  chain: 'the chain is broken before this link',
  link: 'the link is not the one that was written',
  seal: 'the link was not written by the program',
  noted: 'the chain does not hold the end that was noted',
  row: 'the signed row was changed',
  sheet: 'the signed sheet was changed',
  unsigned: 'approved, but not signed',
  status: 'signed, but no longer approved',
  scheme: 'the mark scheme differs from the one that was signed',
  added: 'a registration that was not signed',
  gone: 'a registration that was signed is gone',
  records: 'the link does not hold the records that it was sealed with',
  unsealed: 'stands, but was never sealed',
  cell: 'differs from what was signed',
}

const RECORDS: Readonly<Record<NonNullable<SigningFinding['about']>, string>> = {
  term: 'row of a finished term',
  credit: 'credited course',
  grace: 'grace marks',
  level: 'result of a level',
  offering: 'course of the offering',
  history: 'history of a registration',
  student: 'figures of the student',
}
const OF_RECORDS: Partial<Record<SigningFinding['kind'], string>> = {
  added: 'was added past the program',
  gone: 'was sealed and is gone',
  row: 'the sealed record was changed',
}

/** @example `CS101 (1) 2310008: Final exam: signed 41, stands 38` */
export function signingFindingText(one: SigningFinding): string {
  const { kind, link, offering, student, category, field, signed, stands, about, term, course } = one
  const where = [
    link === undefined ? null : `link ${link}`,
    offering?.code,
    student?.code,
    about && RECORDS[about],
    term?.code,
    course?.code,
  ]
    .filter(Boolean)
    .join(' ')
  const what =
    kind === 'cell' && about === 'history'
      ? 'a row was changed'
      : kind === 'cell'
        ? `${category?.name ?? field}: signed ${signed ?? 'nothing'}, stands ${stands ?? 'nothing'}`
        : `${(about && OF_RECORDS[kind]) ?? NAMES[kind]}${stands ? ` (${stands})` : ''}`
  return `${where}: ${what}`
}
