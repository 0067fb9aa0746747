/**
 * What a reader may do with a row of a resource: by permission here, by the reach of the permission in SQL, by the row
 * in `abilities`.
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Access, Problem, Resource, Row } from '#kit/contract/index.ts'
import type { Ctx } from '../base/context.ts'
import { hasText, toProblem } from '../base/errors.ts'
import type { Reason } from '../base/errors.ts'
import { quoted } from '../base/field-filters.ts'
import { holds, reachesAll } from '../base/scope.ts'
import type { Ability, Planned } from './planned.ts'
import type { Reach } from './reach.ts'
import type { Served } from './served.ts'

/** What `abilitiesOf` gives. */
export type Abilities<R extends Resource> = ReturnType<typeof abilitiesOf<R>>

/** Completes rows that were selected with what their reader may do: `finish`, by the columns of `reachColumns`. */
export function abilitiesOf<R extends Resource>(
  { def, options, columns }: Planned<R>,
  { scope, changes }: Pick<Reach, 'scope' | 'changes'>,
) {
  const p = def.permissions
  const verbs = { edit: p.edit, remove: p.remove, restore: def.softDelete ? p.restore : null } as const
  const verbNames = Object.keys(verbs) as (keyof typeof verbs)[]
  const stated = Object.entries(options.abilities ?? {}).map(([name, ability]) => {
    const own = typeof ability === 'function' ? undefined : ability
    return { name, own, possible: own ? own.possible : (ability as Ability<R>) }
  })
  const possibleOf = new Map(stated.map(({ name, possible }) => [name, possible]))
  const ownAbilities = stated.filter(({ name }) => !(name in verbs))
  const reachColumns = (ctx: Ctx): RawBuilder<unknown>[] => [
    ...(options.flow ? [sql`${options.flow.column(ctx)} as __steps`] : []),
    ...[
      ...verbNames.map((verb) => [verb, verbs[verb]] as const),
      ...ownAbilities.map(({ name, own }) => [name, own?.permission ?? null] as const),
    ].flatMap(([name, key]) =>
      key && def.scope !== 'university' && holds(ctx, key) && !reachesAll(ctx, key)
        ? [sql`${scope(ctx, key)} as ${sql.raw(quoted(`__${name}`))}`]
        : [],
    ),
  ]
  const files = columns.flatMap(({ name, field }) => (field.kind === 'file' ? [name] : []))
  const finish: Served<R>['finish'] = (ctx, rows) => {
    const held = [
      ...verbNames.filter((verb) => verbs[verb] && holds(ctx, verbs[verb] as Access) && changes(ctx, verbs[verb])),
      ...ownAbilities.filter(({ own }) => !own || holds(ctx, own.permission)).map(({ name }) => name),
    ]
    return rows.map((row) => {
      const abilities: string[] = []
      const refused: Record<string, Problem> = {}
      for (const name of held) {
        if (row[`__${name}`] === false || (name in verbs && (name === 'restore') !== row.removed)) continue
        const answer = possibleOf.get(name)?.(row as Row<R>, ctx) ?? true
        if (answer === true) abilities.push(name)
        else if (answer) refused[name] = toProblem(reasonOf(answer))
      }
      if (options.flow && row.__steps && !row.removed) {
        const open = options.flow.open(ctx, row[options.flow.flow.field] as string, row.__steps as never)
        abilities.push(...open.abilities)
        Object.assign(refused, open.refused)
      }
      // Whoever may see the record may open its files.
      for (const name of files) {
        const file = row[name] as { id: number; name: string; url?: string } | null
        if (file && ctx.actor) file.url = ctx.services.files.link(file, ctx.actor)
      }
      row.abilities = abilities
      if (Object.keys(refused).length) row.refused = refused
      return row as Row<R>
    })
  }
  return { possibleOf, reachColumns, finish }
}

/** Why an action is not possible, as refusals tell it. */
export const reasonOf = (answer: string | Reason): Reason =>
  typeof answer === 'string' ? { code: hasText(answer) ? answer : 'state_not_allowed' } : answer
