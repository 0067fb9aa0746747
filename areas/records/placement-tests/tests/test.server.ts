/** Placement tests: their bands tile, their courses stand at levels that there are, and results follow when bands change. */
import { firstRow } from '#db/rows.ts'
import type { AnswerOf } from '#kit/contract/index.ts'
import { sql } from 'kysely'
import { parseHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { Refusal, type Reason } from '#kit/server/base/errors.ts'
import { searchCondition } from '#kit/server/resource/list.ts'
import { workings, type Values } from '#kit/server/resource/resource.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { checkBands, checkBandLevels } from './bands.rules.ts'
import { MODELS, STATES, placementTestCalls, placementTest } from './test.contract.ts'

/** A test belongs to the part it names, and to the parts above; one that names none is everybody's. */
export const testReach = (alias = 't') => {
  const t = (column: string) => sql.ref(`${alias}.${column}`)
  return {
    faculty: sql`coalesce(${t('faculty_id')}, (select b.faculty_id from bylaws b where b.id = ${t('bylaw_id')}),
      (select p.faculty_id from programs p where p.id = ${t('program_id')}))`,
    bylaw: sql`coalesce(${t('bylaw_id')}, (select p.bylaw_id from programs p where p.id = ${t('program_id')}))`,
    program: t('program_id'),
  } satisfies ScopeParts
}
export const everybodys = (alias = 't') =>
  sql`num_nonnulls(${sql.ref(`${alias}.faculty_id`)}, ${sql.ref(`${alias}.bylaw_id`)}, ${sql.ref(`${alias}.program_id`)}) = 0`

const counted = (state: string) =>
  `(select count(*)::int from placement_results r where r.placement_test_id = t.id and r.removed_at is null and r.state = '${state}')`

export const tests = workings(placementTest, {
  scope: {
    faculty: () => testReach().faculty,
    bylaw: () => testReach().bylaw,
    program: () => testReach().program,
  },
  common: everybodys(),
  computed: { due: counted('due'), scored: counted('scored') },
  async beforeWrite(_ctx, tx, merged) {
    const levels = (merged.levels ?? []) as { name: string; from_score: string; to_score: string }[]
    const courses = (merged.courses ?? []) as { level: number }[]
    const highest = parseHundredths(String(merged.max_score)) ?? 0
    const reasons: Reason[] = [
      ...checkBands(
        levels.map(({ name, from_score, to_score }) => ({
          name,
          from: parseHundredths(from_score) ?? 0,
          to: parseHundredths(to_score) ?? 0,
        })),
        highest,
        'levels',
      ),
      ...checkBandLevels(
        courses.map((course) => course.level),
        levels.length,
        'courses',
      ),
    ]
    const { rows } = await sql<{ bylaw: boolean; program: boolean }>`
      select exists (select from bylaws b where b.id = ${merged.bylaw_id ?? null}::int and b.faculty_id <> ${merged.faculty_id ?? null}::int) as bylaw,
        exists (select from programs p where p.id = ${merged.program_id ?? null}::int and (p.faculty_id <> ${merged.faculty_id ?? null}::int
          or p.bylaw_id <> ${merged.bylaw_id ?? null}::int)) as program`.execute(tx)
    if (firstRow(rows).bylaw) reasons.push({ field: 'bylaw_id', code: 'placement_other_part' })
    if (firstRow(rows).program) reasons.push({ field: 'program_id', code: 'placement_other_part' })
    if (reasons.length) throw new Refusal(422, reasons)
  },
  // Results stand on the bands: their levels follow, and who has more than the test now has is told of by the database.
  async afterWrite(_ctx, tx, id, _merged, current) {
    if (current)
      await sql`update placement_results set score = score where placement_test_id = ${id} and score is not null`.execute(
        tx,
      )
  },
})

const genericRemove = resourceCalls(placementTest).remove
const removed = tests.handlers.find(({ call }) => call.path === genericRemove.path && call.method === 'DELETE')!

export const testHandlers: readonly Handled[] = [
  ...tests.handlers,
  handle(placementTestCalls.list, async (ctx, { query: { faculty_id, program_id, search } }) => {
    const { rows } = await sql<{ id: number; code: string; name: string; name_local: string }>`
      select t.id, t.code, t.name, t.name_local from placement_tests t where t.removed_at is null
        and (${scopeCondition(ctx, placementTestCalls.list.permission, testReach())} or ${everybodys()})
        and (${faculty_id ?? null}::int is null or ${testReach().faculty} = ${faculty_id ?? null}::int or ${everybodys()})
        and (${program_id ?? null}::int is null or t.program_id = ${program_id ?? null}::int)
        and ${searchCondition(search ?? '', ['t.search_text']) ?? sql`true`} order by t.code limit 500`.execute(ctx.db)
    return { data: rows }
  }),
  handle(placementTestCalls.item, async (ctx, { params: { id } }) => ({ data: await tests.get(ctx, ctx.db, id) })),
  handle(placementTestCalls.lookups, async (ctx) => {
    const reach = (faculty: string, more: ScopeParts) =>
      scopeCondition(ctx, placementTestCalls.lookups.permission, { faculty: sql.raw(faculty), ...more })
    const { rows } = await sql<
      Pick<AnswerOf<typeof placementTestCalls.lookups>['data'], 'faculties' | 'bylaws' | 'programs'>
    >`
      select coalesce((select json_agg(json_build_object('id', f.id, 'code', f.code, 'name', f.name, 'name_local', f.name_local) order by f.code)
          from faculties f where f.removed_at is null and ${reach('f.id', {})}), '[]') as faculties,
        coalesce((select json_agg(json_build_object('id', b.id, 'code', b.code, 'name', b.name, 'name_local', b.name_local) order by b.code)
          from bylaws b where b.removed_at is null and ${reach('b.faculty_id', { bylaw: sql`b.id` })}), '[]') as bylaws,
        coalesce((select json_agg(json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'name_local', p.name_local) order by p.code)
          from programs p where p.removed_at is null and ${reach('p.faculty_id', { bylaw: sql`p.bylaw_id`, program: sql`p.id` })}), '[]') as programs`.execute(
      ctx.db,
    )
    return {
      data: {
        ...firstRow(rows),
        models: MODELS.map((model) => ({ id: model, name: model })),
        states: STATES.map(({ value, label }) => ({ id: value, name: label[0], name_local: label[1] })),
      },
    }
  }),
  handle(placementTestCalls.add, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const id = await tests.insert(ctx, tx, body as Values)
      return { data: await tests.get(ctx, tx, id, 'public') }
    }),
  ),
  handle(placementTestCalls.edit, (ctx, { params: { id }, body }) =>
    ctx.write(async (tx) => {
      await tests.update(ctx, tx, id, body as Values)
      return { data: await tests.get(ctx, tx, id, 'public') }
    }),
  ),
  handle(placementTestCalls.remove, (ctx, input) => removed.handler(ctx, input as never) as never),
]
