import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { checkRequirements, type Known, type RequirementProblem } from './check.rules.ts'
import { compareTrees, sameTree } from './compare.rules.ts'
import {
  storedCalls,
  type RequirementNames,
  type RequirementOwner,
  type StoredRequirements,
} from './stored.contract.ts'
import { selectorsOf, walk, type Requirement, type Selector, type TreeMode } from './tree.rules.ts'

/** A program or a bylaw. */
export interface Owner {
  readonly of: RequirementOwner
  readonly id: number
}

const TABLES = { program: sql`programs`, bylaw: sql`bylaws` }
const SCOPES: Readonly<Record<RequirementOwner, ScopeParts>> = {
  program: {
    faculty: sql`t.faculty_id`,
    department: sql`t.department_id`,
    bylaw: sql`t.bylaw_id`,
    program: sql`t.id`,
  },
  bylaw: { faculty: sql`t.faculty_id`, bylaw: sql`t.id` },
}
/** Whose rows of `requirement_trees` (alias `r`). */
const rowsOf = ({ of, id }: Owner) => (of === 'program' ? sql`r.program_id = ${id}` : sql`r.bylaw_id = ${id}`)
/** What a right reaches of programs or bylaws (alias `t`). */
export const ownerScope = (ctx: Ctx, key: PermissionKey, of: RequirementOwner) => scopeCondition(ctx, key, SCOPES[of])

// --- What a tree names ----------------------------------------------------------------------------------------------

/** Ids that the selectors of trees name, by kind. */
function idsOf(trees: readonly (Requirement | null)[]) {
  const ids = {
    courses: new Set<number>(),
    tags: new Set<number>(),
    departments: new Set<number>(),
    faculties: new Set<number>(),
  }
  const note = (selector: Selector) => {
    if (selector.by === 'course') ids.courses.add(selector.course_id)
    else if (selector.by === 'tag') ids.tags.add(selector.tag_id)
    else if (selector.by === 'department') ids.departments.add(selector.department_id)
    else if (selector.by === 'faculty') ids.faculties.add(selector.faculty_id)
  }
  for (const tree of trees)
    if (tree) for (const [, one] of walk(tree)) for (const [, selector] of selectorsOf(one)) note(selector)
  return {
    courses: [...ids.courses],
    tags: [...ids.tags],
    departments: [...ids.departments],
    faculties: [...ids.faculties],
  }
}

/**
 * Names of all that trees speak of, and the pools of the program.
 * @param alive only what is not removed
 */
async function namesOf(
  db: Db | Tx,
  owner: Owner,
  trees: readonly (Requirement | null)[],
  alive = false,
): Promise<RequirementNames> {
  const ids = idsOf(trees)
  const here = alive ? sql`x.removed_at is null` : sql`true`
  const list = (table: RawBuilder<unknown>, of: readonly number[], row = ref('x')) =>
    sql`coalesce((select json_agg(${row} order by x.code) from ${table} x
      where x.id = any(${[...of]}::int[]) and ${here}), '[]')`
  const { rows } = await sql<RequirementNames>`select
    ${list(
      sql`courses`,
      ids.courses,
      sql`json_build_object('id', x.id, 'code', x.code, 'name', x.name, 'name_local', x.name_local, 'credit_hours', x.credit_hours)`,
    )} as courses,
    ${list(sql`tags`, ids.tags)} as tags, ${list(sql`departments`, ids.departments)} as departments,
    ${list(sql`faculties`, ids.faculties)} as faculties,
    coalesce((select json_agg(json_build_object('id', o.id, 'name', o.name, 'name_local', o.name_local) order by o.id)
      from program_pools o where ${owner.of === 'program' ? sql`o.program_id = ${owner.id}` : sql`false`}), '[]') as pools`.execute(
    db,
  )
  return firstRow(rows)
}

/** Everything wrong with a tree of a program or bylaw as it would be saved. */
export async function requirementProblemsOf(
  db: Db | Tx,
  owner: Owner,
  tree: Requirement,
): Promise<RequirementProblem[]> {
  const names = await namesOf(db, owner, [tree], true)
  const set = (list: readonly { id: number | string }[]) => new Set(list.map((one) => Number(one.id)))
  const known: Known = {
    courses: new Map(
      names.courses.map((course) => [course.id, { code: course.code ?? '', credit_hours: course.credit_hours }]),
    ),
    tags: set(names.tags),
    departments: set(names.departments),
    faculties: set(names.faculties),
    pools: set(names.pools),
  }
  return checkRequirements(tree, known)
}

// --- Reading --------------------------------------------------------------------------------------------------------

interface Row {
  owner: StoredRequirements['owner']
  removed: boolean
  revision: number | null
  last: number
  mode: TreeMode | null
  tree: Requirement | null
  by: StoredRequirements['by']
  at: string | null
  reason: string | null
  bylaw: StoredRequirements['bylaw']
  edit: boolean
  audits: boolean
}

/** How many requirements there are in a tree (`r.tree`). */
const count = (alias: string) =>
  sql`(select count(*)::int from jsonb_path_query(${sql.ref(`${alias}.tree`)}, 'strict $.** ? (@.kind.type() == "string" && @.key.type() == "string")'))`

async function readTree(ctx: Ctx, db: Db | Tx, owner: Owner, revision?: number): Promise<{ data: StoredRequirements }> {
  const { of, id } = owner
  const { rows } = await sql<Row>`
    select ${ref('t')} as owner, t.removed_at is not null as removed, r.revision, r.mode, r.tree, r.reason,
      to_json(r.created_at) #>> '{}' as at,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) end as by,
      coalesce((select max(r.revision) from requirement_trees r where ${rowsOf(owner)}), 0) as last,
      ${
        of === 'program'
          ? sql`(select json_build_object('owner', ${ref('b')}, 'revision', z.revision, 'requirements', ${count('z')})
              from bylaws b join requirement_trees z on z.bylaw_id = b.id and z.tree is not null
              where b.id = t.bylaw_id and z.revision = (select max(y.revision) from requirement_trees y where y.bylaw_id = b.id))`
          : sql`null::json`
      } as bylaw,
      t.removed_at is null and ${ownerScope(ctx, 'edit_requirements', of)} as edit,
      ${of === 'program' ? ownerScope(ctx, 'access_degree_audits', of) : sql`false`} as audits
    from ${TABLES[of]} t
      left join lateral (select * from requirement_trees r where ${rowsOf(owner)}
        and ${revision === undefined ? sql`true` : sql`r.revision = ${revision}`} order by r.revision desc limit 1) r on true
      left join users u on u.id = r.created_by
    where t.id = ${id} and ${ownerScope(ctx, 'show_requirements', of)}`.execute(db)
  const row = rows[0]
  if (!row || (revision !== undefined && row.revision === null)) throw refuse(404, 'not_found')
  return {
    data: {
      of,
      owner: row.owner,
      revision: row.revision ?? 0,
      last: row.last,
      mode: row.mode ?? 'adds',
      tree: row.tree,
      by: row.by,
      at: row.at,
      reason: row.reason,
      bylaw: row.bylaw,
      names: await namesOf(db, owner, [row.tree]),
      abilities: [...(row.edit ? (['edit'] as const) : []), ...(row.audits ? (['audits'] as const) : [])],
    },
  }
}

// --- Saving ---------------------------------------------------------------------------------------------------------

interface Draft {
  readonly revision: number
  readonly mode: TreeMode
  readonly tree: Requirement | null
  readonly reason?: string | null | undefined
}

/**
 * Saves a new revision, unless nothing is changed.
 * @throws {Refusal} 404; 409 `removed_record`, `requirements_changed`; 422 with everything wrong with the tree
 */
async function saveTree(ctx: Ctx, owner: Owner, draft: Draft | ((tx: Tx) => Promise<Draft>)) {
  const { of, id } = owner
  return ctx.write(
    async (tx) => {
      // Who changes the study plan holds this row: a pool that the tree names stays until this is saved.
      const { rows } = await sql<{ removed: boolean }>`select t.removed_at is not null as removed from ${TABLES[of]} t
        where t.id = ${id} and ${ownerScope(ctx, 'edit_requirements', of)} for share`.execute(tx)
      if (!rows[0]) throw refuse(404, 'not_found')
      if (rows[0].removed) throw refuse(409, 'removed_record')
      const { revision, mode, tree, reason } = typeof draft === 'function' ? await draft(tx) : draft
      const problems = tree ? await requirementProblemsOf(tx, owner, tree) : []
      if (problems.length)
        throw new Refusal(
          422,
          problems.map((problem) => ({ ...problem, field: problem.field ? `tree.${problem.field}` : 'tree' })),
        )
      const { rows: last } = await sql<{ revision: number; mode: TreeMode; tree: Requirement | null }>`
        select r.revision, r.mode, r.tree from requirement_trees r where ${rowsOf(owner)} order by r.revision desc limit 1`.execute(
        tx,
      )
      const same = last[0] ? last[0].mode === mode && sameTree(last[0].tree, tree) : tree === null
      if (!same || (last[0]?.revision ?? 0) !== revision) {
        const column = of === 'program' ? sql`program_id` : sql`bylaw_id`
        await sql`insert into requirement_trees (${column}, revision, mode, tree, reason, created_by)
          values (${id}, ${revision + 1}, ${mode}, ${tree ? JSON.stringify(tree) : null}::jsonb, ${reason || null},
            ${ctx.actor?.user_id ?? null})`.execute(tx)
      }
      return readTree(ctx, tx, owner)
    },
    { reason: typeof draft === 'function' ? null : (draft.reason ?? null) },
  )
}

/** A revision as it was; 0: nothing yet. */
async function revisionOf(
  db: Db | Tx,
  owner: Owner,
  revision: number,
): Promise<{ mode: TreeMode; tree: Requirement | null }> {
  if (revision === 0) return { mode: 'adds', tree: null }
  const { rows } = await sql<{ mode: TreeMode; tree: Requirement | null }>`
    select r.mode, r.tree from requirement_trees r where ${rowsOf(owner)} and r.revision = ${revision}`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

/** Refuses what the reader does not reach. @throws {Refusal} 404 */
export const requireSeen = async (ctx: Ctx, { of, id }: Owner): Promise<void> => {
  const { rows } =
    await sql`select from ${TABLES[of]} t where t.id = ${id} and ${ownerScope(ctx, 'show_requirements', of)}`.execute(
      ctx.db,
    )
  if (!rows.length) throw refuse(404, 'not_found')
}

const c = storedCalls
/** Handlers of reading, saving, comparing and restoring requirements. */
export const storedHandlers: readonly Handled[] = [
  handle(c.requirementTree, (ctx, { params, query }) => readTree(ctx, ctx.db, params, query.revision)),
  handle(c.saveRequirementTree, (ctx, { params, body }) => saveTree(ctx, params, body)),
  handle(c.checkRequirementTree, async (ctx, { params, body }) => {
    await requireSeen(ctx, params)
    return { data: { problems: (await requirementProblemsOf(ctx.db, params, body.tree)).map((one) => toProblem(one)) } }
  }),
  handle(c.requirementRevisions, async (ctx, { params, query: { most } }) => {
    await requireSeen(ctx, params)
    return cutRows<Pick<StoredRequirements, 'revision' | 'by' | 'at' | 'reason' | 'mode'> & { requirements: number }>(
      ctx.db,
      sql`select r.revision, r.mode, r.reason, to_json(r.created_at) #>> '{}' as at, ${count('r')} as requirements,
        case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) end as by
      from requirement_trees r left join users u on u.id = r.created_by
      where ${rowsOf(params)} order by r.revision desc`,
      most,
    )
  }),
  handle(c.compareRequirements, async (ctx, { params, query: { from, to } }) => {
    await requireSeen(ctx, params)
    const [before, after] = await Promise.all([revisionOf(ctx.db, params, from), revisionOf(ctx.db, params, to)])
    return {
      data: {
        from,
        to,
        mode: { before: before.mode, after: after.mode },
        differences: compareTrees(before.tree, after.tree),
        names: await namesOf(ctx.db, params, [before.tree, after.tree]),
      },
    }
  }),
  handle(c.restoreRequirements, (ctx, { params, body: { revision, to, reason } }) =>
    saveTree(ctx, params, async (tx) => ({ ...(await revisionOf(tx, params, to)), revision, reason })),
  ),
]
