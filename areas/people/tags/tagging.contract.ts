import { call, bulkResult, id } from '#kit/contract/index.ts'
import type { Call, Label } from '#kit/contract/index.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { z } from 'zod'

/** Records taken at once. */
const MOST = 5000
/** Tags put or taken at once. */
const MOST_TAGS = 20

const answer = bulkResult.extend({
  /** What it changed, by tag: what had the tag already, or had it not, does not stand here. Taking it back is the opposite call for these. */
  changed: z.array(z.object({ tag_id: id, ids: z.array(id) })),
})
export type TaggingAnswer = z.output<typeof answer>
type Body<S extends string> = { [K in `${S}_ids`]: number[] } & { tag_ids: number[] }
type TaggingCall<S extends string> = Call<
  'POST',
  string,
  Record<string, never>,
  undefined,
  z.ZodType<Body<S>, Body<S>>,
  typeof answer
>

/** A kind of record that can have tags. */
export interface Tagging<S extends string = string> {
  /** Name of its resource; the calls take `{subject}_ids`. */
  readonly subject: S
  readonly permission: PermissionKey
  readonly calls: { readonly attach: TaggingCall<S>; readonly remove: TaggingCall<S> }
}

/**
 * Makes a kind of record one that can have tags: the two calls by which they are put and taken, one by one and in bulk. The
 * area of the record lists the calls, serves them by `serveTagging`, and has its tags as a field of the resource.
 *
 * @example tagging('student', { permission: 'attach_tag', attach: ['/tags/attach', […]], remove: ['/tags/remove-student/tags', […]] })
 */
export function tagging<const S extends string>(
  subject: S,
  {
    permission,
    attach,
    remove,
  }: {
    permission: PermissionKey
    attach: readonly [path: string, summary: Label]
    remove: readonly [path: string, summary: Label]
  },
): Tagging<S> {
  const body = z.strictObject({
    [`${subject}_ids`]: z.array(id).min(1).max(MOST),
    tag_ids: z.array(id).min(1).max(MOST_TAGS),
  })
  const one = ([path, summary]: readonly [string, Label]) =>
    call('POST', path, {
      permission,
      summary,
      body,
      response: answer,
      example: { [`${subject}_ids`]: [1, 2], tag_ids: [1] },
    }) as unknown as TaggingCall<S>
  return { subject, permission, calls: { attach: one(attach), remove: one(remove) } }
}
