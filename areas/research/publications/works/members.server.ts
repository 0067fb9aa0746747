/** Who made a work, in order: of the university by the account, everybody else by name. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { alike } from '../sources/names.rules.ts'
import { publicationCalls as calls, type MemberInput, type MemberRow } from './publication.contract.ts'
import { normalOrcid } from './publication.rules.ts'
import { findPublication, holdPublication } from './reach.server.ts'
import { MOST_WORK_MEMBERS } from './words.contract.ts'

/** Members of a work in their order. */
export async function membersOf(db: Db | Tx, id: number): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select m.id, m.position, m.version, m.name, m.role, m.orcid, m.affiliation, m.is_corresponding,
      case when u.id is not null then json_build_object('id', u.id, 'name', coalesce(u.used_name, u.name),
        'name_local', coalesce(u.used_name_local, u.name_local)) end as user,
      ${refOrNull('d')} as department
    from publication_members m left join users u on u.id = m.user_id left join departments d on d.id = m.department_id
    where m.publication_id = ${id} order by m.position`.execute(db)
  return rows
}

/** The work of a member, held before anything is read of it; the member as it stands then. @throws {Refusal} 404 */
async function holdMember(
  ctx: Ctx,
  tx: Tx,
  id: number,
  key: 'edit_publication' | 'add_publication' = 'edit_publication',
) {
  const { rows: of } = await sql<{ publication_id: number }>`
    select publication_id from publication_members where id = ${id}`.execute(tx)
  if (!of[0]) throw refuse(404, 'not_found')
  const { publication_id } = of[0]
  if (key === 'edit_publication') await holdPublication(ctx, tx, publication_id)
  else {
    await sql`select from publications where id = ${publication_id} for update`.execute(tx)
    await findPublication(ctx, tx, publication_id, ['access_publication', 'show_publication'])
  }
  const { rows } = await sql<{ position: number; version: number; user_id: number | null; name: string }>`
    select position, version, user_id, name from publication_members where id = ${id} and publication_id = ${publication_id}`.execute(
    tx,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return { publication_id, ...rows[0] }
}

/** A member as written. @throws {Refusal} 422 */
async function written(tx: Tx, of: MemberInput) {
  const orcid = of.orcid ? normalOrcid(of.orcid) : null
  if (of.orcid && orcid === null) throw refuse(422, 'publication_member_orcid', undefined, 'orcid')
  let { name } = of
  if (of.user_id != null) {
    const { rows } = await sql<{ name: string }>`
      select coalesce(used_name, name) as name from users where id = ${of.user_id} and removed_at is null and type in (1, 2, 3)`.execute(
      tx,
    )
    if (!rows[0]) throw refuse(422, 'reference_missing', undefined, 'user_id')
    name ??= rows[0].name
  }
  return { ...of, orcid, name }
}

const addMembers = handle(calls.addMembers, (ctx, { body: { publication_id, members } }) =>
  ctx.write(async (tx) => {
    await holdPublication(ctx, tx, publication_id)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from publication_members where publication_id = ${publication_id}`.execute(tx)
    const there = firstRow(rows).count
    if (there + members.length > MOST_WORK_MEMBERS)
      throw refuse(422, 'publication_members_full', { count: MOST_WORK_MEMBERS }, 'members')
    const made = []
    for (const [i, one] of members.entries()) {
      const of = await written(tx, one)
      if (!of.name) throw refuse(422, 'publication_member_name', undefined, 'name')
      made.push({
        position: there + i + 1,
        user_id: of.user_id ?? null,
        name: of.name,
        role: of.role ?? 'author',
        orcid: of.orcid,
        affiliation: of.affiliation || null,
        is_corresponding: of.is_corresponding ?? false,
      })
    }
    await sql`insert into publication_members (publication_id, position, user_id, name, role, orcid, affiliation, is_corresponding)
      select ${publication_id}, x.position, x.user_id, x.name, x.role, x.orcid, x.affiliation, x.is_corresponding
      from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) x (position int, user_id int, name text, role text, orcid text,
        affiliation text, is_corresponding boolean)`.execute(tx)
    return { data: await membersOf(tx, publication_id) }
  }),
)

const changeMember = handle(calls.changeMember, (ctx, { params: { id }, body: { version, ...body } }) =>
  ctx.write(async (tx) => {
    const member = await holdMember(ctx, tx, id)
    if (version !== undefined && version !== member.version)
      throw refuse(409, 'changed_meanwhile', { version: member.version })
    const of = await written(tx, body)
    await sql`update publication_members set version = version + 1, updated_at = now(),
        user_id = ${'user_id' in body ? (of.user_id ?? null) : member.user_id}::int,
        name = coalesce(${of.name ?? null}, name), role = coalesce(${of.role ?? null}, role),
        orcid = case when ${'orcid' in body}::boolean then ${of.orcid} else orcid end,
        affiliation = case when ${'affiliation' in body}::boolean then ${of.affiliation || null} else affiliation end,
        is_corresponding = coalesce(${of.is_corresponding ?? null}::boolean, is_corresponding)
      where id = ${id}`.execute(tx)
    return { data: await membersOf(tx, member.publication_id) }
  }),
)

const moveMember = handle(calls.moveMember, (ctx, { params: { id, position } }) =>
  ctx.write(async (tx) => {
    const member = await holdMember(ctx, tx, id)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from publication_members where publication_id = ${member.publication_id}`.execute(
      tx,
    )
    const to = Math.min(position, firstRow(rows).count)
    const [low, high, by] = to < member.position ? [to, member.position, 1] : [member.position, to, -1]
    if (to !== member.position)
      await sql`update publication_members set position = case when id = ${id} then ${to}::int else position + ${by}::int end
        where publication_id = ${member.publication_id} and position between ${low} and ${high}`.execute(tx)
    return { data: await membersOf(tx, member.publication_id) }
  }),
)

const removeMember = handle(calls.removeMember, (ctx, { params: { id } }) =>
  ctx.write(async (tx) => {
    const member = await holdMember(ctx, tx, id)
    await sql`delete from publication_members where id = ${id}`.execute(tx)
    await sql`update publication_members set position = position - 1
      where publication_id = ${member.publication_id} and position > ${member.position}`.execute(tx)
    return { data: await membersOf(tx, member.publication_id) }
  }),
)

/** The work is held, so that of two who say it at one moment the second is told that the first has. */
const claim = handle(calls.claim, (ctx, { params: { id }, body: { mine } }) =>
  ctx.write(async (tx) => {
    const person = ctx.actor!.user_id
    const member = await holdMember(ctx, tx, id, 'add_publication')
    if (!mine) {
      if (member.user_id !== person) throw refuse(404, 'not_found')
      await sql`update publication_members set user_id = null, version = version + 1, updated_at = now() where id = ${id}`.execute(
        tx,
      )
      return { data: await membersOf(tx, member.publication_id) }
    }
    const { rows } = await sql<{ id: number; name: string; name_local: string }>`
      select id, coalesce(used_name, name) as name, coalesce(used_name_local, name_local) as name_local from users
      where id in (${person}, coalesce(${member.user_id}::int, ${person}))`.execute(tx)
    const holder = rows.find((one) => one.id === member.user_id)
    if (holder && holder.id !== person) throw refuse(409, 'publication_claimed', { name: holder.name })
    const self = rows.find((one) => one.id === person)!
    if (!alike(member.name, self.name) && !alike(member.name, self.name_local))
      throw refuse(422, 'publication_claim_name', { name: member.name })
    await sql`update publication_members set user_id = ${person}, version = version + 1, updated_at = now() where id = ${id}`.execute(
      tx,
    )
    return { data: await membersOf(tx, member.publication_id) }
  }),
)

export const memberHandlers: readonly Handled[] = [addMembers, changeMember, moveMember, removeMember, claim]
