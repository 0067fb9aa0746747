import { z } from 'zod'
import { call } from './call.ts'
import type { Access, Call } from './call.ts'
import { id, idParam, paperLanguage, problem, safeText } from './schema.ts'
import type { Series } from './serial.ts'
import type { Label, PaperLanguage } from './words.ts'

/** How much of a paper the holder lets those see who verify it; beyond this only what it is, when, and whether it is valid. */
export const DISCLOSURES = ['everything', 'name', 'nothing'] as const
export type Disclosure = (typeof DISCLOSURES)[number]

/** A kind of paper: a document that a person takes away and shows elsewhere. */
export interface PaperKind {
  readonly label: Label
  readonly languages: readonly PaperLanguage[]
  readonly series: Series
  /** What who verifies it may see besides kind, holder and date, in this order. */
  readonly facts: Readonly<Record<string, Label>>
  /** What the holder may choose; the first is how it begins. */
  readonly disclosures: readonly [Disclosure, ...Disclosure[]]
}

type Kinds = Readonly<Record<string, PaperKind>>
/** Kinds of paper about one kind of record. Those of several areas about the same are issued and listed together. */
export interface PaperKinds<K extends Kinds = Kinds> {
  /** What they are about: `student`. */
  readonly subject: string
  readonly kinds: K
}
/** Papers about one kind of record: who may have, issue and revoke them, and which there are. */
export interface Papers<K extends Kinds = Kinds> extends PaperKinds<K> {
  /** Where its calls are; `{id}` is the record's. */
  readonly path: `/${string}/{id}/papers`
  readonly permissions: {
    /** Lists them: the holder's own right among others. */
    readonly list: Access
    /** Opens their files, with everything that stands on them. */
    readonly open: Access
    readonly issue: Access
    readonly revoke: Access
    /** The holder, who says how much may be seen. */
    readonly hold: Access
  }
}

/**
 * Declares papers; `area({ papers: [studentPapers] })` makes their calls, `servePapers` answers them.
 *
 * @example papers({ subject: 'student', path: '/students/{id}/papers', permissions: {…}, kinds: { transcript: {…} } })
 */
export const papers = <const K extends Kinds>(definition: Papers<K>): Papers<K> => definition

/**
 * Declares kinds that an area adds to the papers of another area's records, which has their calls, rights and screens.
 * `area({ papers: [equivalencePapers] })` registers them, and `preparePapers` supplies their contents.
 *
 * @example paperKinds({ subject: 'student', kinds: { equivalence: {…} } })
 */
export const paperKinds = <const K extends Kinds>(definition: PaperKinds<K>): PaperKinds<K> => definition

/** What a paper is worth today: revoked, replaced by a newer one, or past its last day. */
export const PAPER_STATES = ['valid', 'revoked', 'replaced', 'expired'] as const

const named = z.object({ name: z.string(), name_local: z.string() })
const called = {
  kind: z.string(),
  title: named,
  /** Whose texts name it in the reader's language. */
  area: z.string().nullable(),
}
const paperRow = z.object({
  id,
  ...called,
  serial: z.string(),
  lang: paperLanguage,
  issued_at: z.string(),
  issued_by: named.nullable(),
  revoked_at: z.string().nullable(),
  revoked_by: named.nullable(),
  revoked_reason: z.string().nullable(),
  state: z.enum(PAPER_STATES),
  valid_until: z.string().nullable(),
  disclosure: z.enum(DISCLOSURES),
  disclosures: z.array(z.enum(DISCLOSURES)),
  /** Of the verification page, in the application. */
  address: z.string(),
  /** Why its file is not opened here, though the reader may open papers: it is handed out another way. */
  withheld: problem.nullable(),
  abilities: z.array(z.enum(['open', 'revoke', 'disclose'])),
})
export type PaperRow = z.output<typeof paperRow>
const issuable = z.object({
  ...called,
  languages: z.array(paperLanguage),
  /** Why it is not issued at once, here: it has a way of another area. */
  refused: problem.nullable(),
})
/** A kind of paper that somebody may issue. */
export type IssuableKind = z.output<typeof issuable>

export interface PaperCalls {
  readonly list: Call<
    'GET',
    string,
    { id: number },
    undefined,
    undefined,
    z.ZodType<{ data: PaperRow[]; meta: { issue: IssuableKind[] } }>
  >
  readonly issue: Call<
    'POST',
    string,
    { id: number },
    undefined,
    z.ZodType<{ kind: string; lang: PaperLanguage }, { kind: string; lang: PaperLanguage }>,
    z.ZodType<{ data: PaperRow }>
  >
  readonly open: Call<'GET', string, { id: number; paper: number }, undefined, undefined, undefined>
  readonly revoke: Call<
    'POST',
    string,
    { id: number; paper: number },
    undefined,
    z.ZodType<{ reason: string }, { reason: string }>,
    z.ZodType<{ data: PaperRow }>
  >
  readonly disclose: Call<
    'PUT',
    string,
    { id: number; paper: number },
    undefined,
    z.ZodType<{ disclosure: Disclosure }, { disclosure: Disclosure }>,
    z.ZodType<{ data: PaperRow }>
  >
}
const made = new WeakMap<object, PaperCalls>()

/** The calls of declared papers, always the same ones. */
export function paperCalls(of: Papers): PaperCalls {
  const known = made.get(of)
  if (known) return known
  const { path, permissions, kinds } = of
  const one = z.object({ id: idParam, paper: idParam })
  const response = z.object({ data: paperRow })
  const calls = {
    list: call('GET', path, {
      permission: permissions.list,
      summary: ['Papers that were issued', 'الوثائق الصادرة'],
      params: z.object({ id: idParam }),
      response: z.object({
        data: z.array(paperRow),
        meta: z.object({
          /** Kinds that the reader may issue for this record. */
          issue: z.array(issuable),
        }),
      }),
    }),
    issue: call('POST', path, {
      permission: permissions.issue,
      summary: ['Issue a paper', 'إصدار وثيقة'],
      params: z.object({ id: idParam }),
      // Other areas add kinds: which there are, the list says.
      body: z.strictObject({ kind: safeText(60, 1), lang: paperLanguage }),
      response,
      // Where other areas alone add kinds, there is none to name.
      example: { kind: Object.keys(kinds)[0] ?? 'kind', lang: 'ar' },
    }),
    open: call('GET', `${path}/{paper}/file`, {
      permission: permissions.open,
      summary: ['Open an issued paper, as it was issued', 'فتح وثيقة صادرة كما صدرت'],
      params: one,
      file: { name: 'Paper.pdf', type: 'pdf' },
      traced: of.subject,
    }),
    disclose: call('PUT', `${path}/{paper}/disclosure`, {
      permission: permissions.hold,
      summary: ['Say how much of an own paper others may see', 'تحديد ما يظهر للغير من وثيقتي'],
      params: one,
      body: z.strictObject({ disclosure: z.enum(DISCLOSURES) }),
      response,
      example: { disclosure: 'name' },
    }),
    revoke: call('POST', `${path}/{paper}/revoke`, {
      permission: permissions.revoke,
      summary: ['Revoke an issued paper', 'إلغاء وثيقة صادرة'],
      params: one,
      body: z.strictObject({ reason: safeText(500, 3) }),
      response,
      example: { reason: 'Issued by mistake' },
    }),
  } as unknown as PaperCalls
  made.set(of, calls)
  return calls
}

/** What anybody learns who holds the code of a paper: nothing of a code that stands on none. */
const verdict = z.object({
  state: z.enum([...PAPER_STATES, 'unknown']),
  paper: z
    .object({
      title: named,
      /** Whose texts name it in the reader's language. */
      area: z.string().nullable(),
      serial: z.string(),
      /** Days of the university. */
      issued_on: z.string(),
      revoked_on: z.string().nullable(),
      valid_until: z.string().nullable(),
      /** Of the file as it was issued: whoever has it compares. */
      sha256: z.string(),
      /** With which certificate the file was signed (SHA-256 of it), and when; null: before papers were signed. */
      signature: z.object({ at: z.string(), fingerprint: z.string() }).nullable(),
      holder: named.nullable(),
      facts: z.array(z.object({ label: named, value: named })),
    })
    .nullable(),
})
export type Verdict = z.output<typeof verdict>

/** Codes are printed in groups of five; letters that look like figures are read as them. */
export const codeTyped = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
/** Whether it can be the code of a paper: the number of a receipt or an invoice is none. */
export const isPaperCode = (text: string): boolean => /^[0-9A-Z]{20}$/.test(codeTyped(text))
/** `ABCDE-FGHJK-…`, as it is printed. */
export const codeWritten = (code: string): string => code.replace(/(.{5})(?=.)/g, '$1-')

export const verifyPaper = call('GET', '/papers/{code}', {
  permission: 'public',
  summary: ['Verify a paper by the code printed on it', 'التحقق من وثيقة بالرمز المطبوع عليها'],
  params: z.object({ code: z.string().max(60) }),
  response: z.object({ data: verdict }),
})
