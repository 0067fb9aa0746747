/** Families of students: made by a person who has seen papers, changed, ended; and who counts as a sibling of whom. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { serveFact, type ServedFact } from '#kit/server/workflow/basis-registry.ts'
import { sql, type RawBuilder } from 'kysely'
import { family, familyCalls, familyFact, householdFact } from './family.contract.ts'
import { checkFamily, type FamilyMember } from './family.rules.ts'

/** A family is reached by who reaches all of it: its proof tells of each of them. */
const part = (ctx: Ctx, kind: 'faculty' | 'department' | 'bylaw' | 'program') => (ids: readonly number[]) =>
  sql`(exists (select from family_members m where m.family_id = t.id) and not exists (select from family_members m
    join students s on s.id = m.student_id
    where m.family_id = t.id and (${studentReach(ctx, 's')[kind]} = any(${[...ids]}::int[])) is not true))`

const standing = (row: { readonly status: 'active' | 'ended' | null }) => row.status === 'active' || 'family_ended'

/** Students who shall be of a family, in their order, locked; of those only whom the reader reaches. */
async function membersOf(
  ctx: Ctx,
  tx: Parameters<Parameters<Ctx['write']>[0]>[0],
  ids: readonly number[],
  family_id: number | null,
): Promise<FamilyMember[]> {
  const { rows } = await sql<FamilyMember & { mine: boolean }>`
    select s.id as student_id, s.name, s.name_local, s.status, s.user_id,
      coalesce(s.user_id = any(${peopleOf(ctx)}::int[]), false) as own,
      exists (select from family_members m where m.family_id = ${family_id}::int and m.student_id = s.id) as before,
      (select f.name from family_members m join families f on f.id = m.family_id
        where m.student_id = s.id and m.live and m.family_id is distinct from ${family_id}::int limit 1) as other,
      ${scopeCondition(ctx, ['add_family', 'edit_family'], studentReach(ctx, 's'))} as mine
    from students s where s.id = any(${[...ids]}::int[]) and s.removed_at is null order by s.id for no key update of s`.execute(
    tx,
  )
  const known = new Map(rows.map((row) => [row.student_id, row]))
  return ids.map((id, i) => {
    const found = known.get(id)
    if (!found?.mine) throw refuse(422, 'reference_missing', {}, `members.${i}.student_id`)
    return found
  })
}

export const families = workings(family, {
  scope: {
    faculty: (ctx) => part(ctx, 'faculty'),
    department: (ctx) => part(ctx, 'department'),
    bylaw: (ctx) => part(ctx, 'bylaw'),
    program: (ctx) => part(ctx, 'program'),
  },
  computed: { made_at: 't.created_at' },
  search: [
    't.search_text',
    `(select string_agg(s.search_text, ' ') from family_members m join students s on s.id = m.student_id where m.family_id = t.id)`,
  ],
  abilities: { edit: standing, remove: standing, end: { permission: 'edit_family', possible: standing } },
  async beforeWrite(ctx, tx, merged, current) {
    const members = (merged.members ?? []) as readonly { student_id: number }[]
    const ids = members.map((one) => one.student_id)
    const reasons = checkFamily(await membersOf(ctx, tx, ids, current?.id ?? null))
    if (reasons.length) throw new Refusal(422, reasons)
    return current ? {} : { made_by_id: ctx.actor?.user_id ?? null }
  },
  async beforeRemove(ctx, tx, id) {
    await refuseOwnFamily(ctx, tx, id)
  },
})

/** Nobody decides on the own family. */
async function refuseOwnFamily(ctx: Ctx, tx: Parameters<typeof families.insert>[1], id: number): Promise<void> {
  const { rows } = await sql`select from family_members m join students s on s.id = m.student_id
    where m.family_id = ${id} and s.user_id = any(${peopleOf(ctx)}::int[]) limit 1`.execute(tx)
  if (rows.length) throw refuse(403, 'family_own')
}

/** Ends a family: whoever was of it counts as a sibling no longer, and what was granted for it is outdated at once. */
async function endFamily(ctx: Ctx, id: number, reason: string, version: number | undefined): Promise<void> {
  await ctx.write(
    async (tx) => {
      const { rows } = await sql<{ status: string; version: number }>`select t.status, t.version from families t
        where t.id = ${id} and t.removed_at is null and ${families.scope(ctx, 'edit_family')} for update of t`.execute(
        tx,
      )
      const [found] = rows
      if (!found) throw refuse(404, 'not_found')
      if (version !== undefined && version !== found.version)
        throw refuse(409, 'changed_meanwhile', { version: found.version })
      if (found.status !== 'active') throw refuse(409, 'family_ended')
      await refuseOwnFamily(ctx, tx, id)
      await sql`update families set status = 'ended', ended_on = university_today(), ended_by_id = ${ctx.actor?.user_id ?? null},
        ended_reason = ${reason}, version = version + 1 where id = ${id}`.execute(tx)
    },
    { reason },
  )
}

/** Who is known as a sibling of a student within reach, by what, and which child that makes the student. */
async function siblingsOf(ctx: Ctx, student_id: number) {
  const { rows: found } = await sql<{ child: number | null; likely: number | null }>`
    select p.child, p.likely from students s left join places_among_siblings(array[${student_id}::int]) p on p.student_id = s.id
    where s.id = ${student_id} and s.removed_at is null
      and ${scopeCondition(ctx, ['access_family', 'grant_scholarship'], studentReach(ctx, 's'))}`.execute(ctx.db)
  if (!found[0]) throw refuse(404, 'not_found')
  const { rows } = await sql<{
    id: number
    code: string
    name: string
    name_local: string
    by: 'parent' | 'family' | 'telephone'
    family_id: number | null
    studies: boolean
  }>`
    select s.id, s.code, s.name, s.name_local, s.status = 'studying' as studies, m.family_id,
      case when bool_or(p.proven) then case when m.family_id is not null then 'family' else 'parent' end else 'telephone' end as by
    from siblings_of(array[${student_id}::int]) p join students s on s.id = p.other_id and s.removed_at is null and not s.is_second_record
      left join lateral (select m.family_id from family_members m join family_members o on o.family_id = m.family_id and o.live
        where m.student_id = ${student_id} and m.live and o.student_id = s.id limit 1) m on true
    group by s.id, m.family_id order by s.code`.execute(ctx.db)
  return { ...found[0], siblings: rows }
}

const childOf = ({ child }: Readonly<Record<string, unknown>>) => (typeof child === 'number' ? String(child) : null)
const student = (ids: RawBuilder<unknown>) =>
  sql`select s.id, s.code, s.name, s.name_local from students s where s.id = any(${ids})`
export const familyFacts: readonly ServedFact[] = [
  serveFact(familyFact, { named: student, tell: childOf }),
  serveFact(householdFact, { named: student, tell: childOf }),
]

export const familyHandlers: readonly Handled[] = [
  ...families.handlers,
  handle(familyCalls.end, async (ctx, { params, body }) => {
    await endFamily(ctx, params.id, body.reason, body.version)
    return { data: await families.get(ctx, ctx.db, params.id) }
  }),
  handle(familyCalls.ofStudent, async (ctx, { params }) => ({ data: await siblingsOf(ctx, params.id) })),
]
