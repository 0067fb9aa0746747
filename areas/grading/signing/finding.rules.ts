/** A finding of the verification as a line of text, for who works without the screens. */
import type { Finding } from './signing.contract.ts'

const NAMES: Readonly<Record<Finding['kind'], string>> = {
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
  cell: 'differs from what was signed',
}

/** @example `CS101 (1) 2310008: Final exam: signed 41, stands 38` */
export function findingText({ kind, link, offering, student, category, field, signed, stands }: Finding): string {
  const where = [link === undefined ? null : `link ${link}`, offering?.code, student?.code].filter(Boolean).join(' ')
  const what =
    kind === 'cell'
      ? `${category?.name ?? field}: signed ${signed ?? 'nothing'}, stands ${stands ?? 'nothing'}`
      : `${NAMES[kind]}${stands ? ` (${stands})` : ''}`
  return `${where}: ${what}`
}
