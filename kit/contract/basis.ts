import type { PermissionKey } from '#access/permissions.contract.ts'
import { z } from 'zod'
import { call } from './call.ts'
import { id, problem, safeText } from './schema.ts'
import type { Label } from './words.ts'

/**
 * What happens to a decision whose facts changed: it `follows` by itself, `waits` for whoever decides, or is `refused`
 * to anybody who acts on it until somebody decides again.
 */
export type Becomes = 'follows' | 'waits' | 'refused'
type Keys = PermissionKey | readonly PermissionKey[]

/** What the result of a kind of fact is called where it is words and not a letter or a figure. */
export interface Fact<Name extends string = string> {
  /** As in the SQL functions `fact_NAME` and `hold_NAME`. */
  readonly name: Name
  /** Words for what the server tells of it, by the code that the server gives; what is no code stands as it is. */
  readonly words?: Readonly<Record<string, Label>>
}
/** Declares a kind of fact that decisions can rest on. */
export const fact = <const Name extends string>(definition: Fact<Name>): Fact<Name> => definition

/** A kind of decision that rests on facts which may still change. */
export interface Basis<Kind extends string = string> {
  /** For ever the same; no two areas have one of the same name. */
  readonly kind: Kind
  /** The decision, in the singular, and many of them: `Credited course`. */
  readonly one: Label
  readonly many: Label
  /** What changed, in a sentence: `The result it was credited for is another one now.` */
  readonly why: Label
  readonly becomes: Becomes
  /** Who sees that one is outdated, within reach. */
  readonly sees: Keys
  /** Who decides what becomes of it; absent: nobody has to (`follows`). */
  readonly decides?: Keys
  /** It is decided anew by one step, on what stands now: what the button says, and what will happen. */
  readonly renew?: { readonly label: Label; readonly consequence: Label }
  /** It may be kept as it is, with a reason: what the button says, and what that means. */
  readonly keep?: { readonly label: Label; readonly consequence: Label }
  /** Text (`area.key`) that is told to whom it concerns, once each time it becomes outdated. */
  readonly notice?: string
  /** Code of the refusal for who acts on it; its places: `what`, `before`, `now`. */
  readonly refusal?: string
}

/**
 * Declares a kind of decision that rests on facts which may still change. The area lists it in `basis`, and the server
 * serves it (`serveBasis`). From it derive the list of outdated decisions, the work on the home page, panels in a
 * student's record, the steps to decide again, notices, and tests.
 */
export const decisionBasis = <const Kind extends string>(definition: Basis<Kind>): Basis<Kind> => {
  if (definition.becomes === 'waits' && !definition.decides) throw new Error(`${definition.kind} waits: say for whom`)
  if (definition.becomes === 'refused' && !definition.refusal)
    throw new Error(`${definition.kind} is refused: say with which code`)
  return definition
}

const words = z.object({ name: z.string(), name_local: z.string() })
const named = words.extend({ code: z.string().nullable() })
/** A fact that is another than it was. */
const change = z.object({
  fact: z.string(),
  fact_id: z.int(),
  /** What was looked at: the course of a result. */
  what: named.nullable(),
  /** In words; null: nothing (not published, taken back). */
  before: words.nullable(),
  now: words.nullable(),
})
export type OutdatedChange = z.output<typeof change>

export const outdatedRow = z.object({
  kind: z.string(),
  id,
  /** Whose words name the kind. */
  area: z.string(),
  title: words,
  why: words,
  becomes: z.enum(['follows', 'waits', 'refused']),
  /** The decision itself: which course, which invoice. */
  decision: named,
  /** null: it is of no student. */
  student: named.extend({ id }).nullable(),
  since: z.string(),
  changes: z.array(change),
  /** Where it is decided. */
  link: z.string(),
  /** What the reader may do with it: `renew`, `keep`. */
  abilities: z.array(z.enum(['renew', 'keep'])),
  /** Who sits there decides on it. */
  decides: z.boolean(),
})
export type OutdatedRow = z.output<typeof outdatedRow>

const kindOf = z.object({
  kind: z.string(),
  area: z.string(),
  title: words,
  becomes: z.enum(['follows', 'waits', 'refused']),
  count: z.int(),
  renew: z.object({ label: words, consequence: words }).nullable(),
  keep: z.object({ label: words, consequence: words }).nullable(),
})
export type OutdatedKind = z.output<typeof kindOf>

const chosen = { kind: z.string().max(60), ids: z.array(id).min(1).max(500) }
const results = z.object({
  done: z.array(id),
  failed: z.array(z.object({ id, errors: z.array(problem) })),
})

export const basisCalls = {
  outdatedDecisions: call('POST', '/outdated-decisions', {
    permission: 'signed_in',
    summary: ['List decisions whose basis has changed', 'عرض القرارات التي تغيّر أساسها'],
    body: z.strictObject({
      kind: z.string().max(60).optional(),
      student_id: id.optional(),
      /** Only those on which the reader decides. */
      mine: z.boolean().default(false),
      page: z.int().min(1).max(10_000).default(1),
      perPage: z.int().min(1).max(200).default(25),
    }),
    response: z.object({
      data: z.array(outdatedRow),
      meta: z.object({ count: z.int(), kinds: z.array(kindOf) }),
    }),
    reads: true,
    example: { mine: false },
  }),
  renewOutdated: call('POST', '/outdated-decisions/renew', {
    permission: 'signed_in',
    summary: ['Decide anew on what stands now', 'إعادة القرار على الأساس الحالي'],
    body: z.strictObject(chosen),
    response: z.object({ data: results }),
    example: { kind: 'credit', ids: [1] },
  }),
  keepOutdated: call('POST', '/outdated-decisions/keep', {
    permission: 'signed_in',
    summary: ['Keep a decision as it is though its basis has changed', 'إبقاء القرار كما هو رغم تغيّر أساسه'],
    body: z.strictObject({ ...chosen, reason: safeText(500, 3) }),
    response: z.object({ data: results }),
    example: { kind: 'credit', ids: [1], reason: 'The board decided so.' },
  }),
}
