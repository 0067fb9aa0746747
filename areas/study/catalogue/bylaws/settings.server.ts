import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import type { Settings, SettingsPatch, TreeNode } from './settings.contract.ts'
import { gpaRanges, percentRanges } from './settings.rules.ts'
import { bylawScope, readSettings, c } from './read-settings.server.ts'
import { lockBylaw, change } from './change-settings.server.ts'
import { requirementHandlers } from './requirements.server.ts'

const PARENTS = {
  level: (id: number) => sql<{ bylaw_id: number }>`select bylaw_id from bylaw_levels where id = ${id}`,
  type: (id: number) => sql<{ bylaw_id: number }>`select bylaw_id from grade_types where id = ${id}`,
  range: (id: number) =>
    sql<{
      bylaw_id: number
    }>`select g.bylaw_id from grade_ranges r join grade_types g on g.id = r.grade_type_id where r.id = ${id}`,
  classification: (id: number) => sql<{ bylaw_id: number }>`select bylaw_id from gpa_ranges where id = ${id}`,
  load: (id: number) => sql<{ bylaw_id: number }>`select bylaw_id from load_ranges where id = ${id}`,
}

/** The bylaw to which an entry of a set belongs. */
async function bylawOf(ctx: Ctx, kind: keyof typeof PARENTS, id: number): Promise<number> {
  const { rows } = await PARENTS[kind](id).execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0].bylaw_id
}

const without = <T extends object, K extends keyof T>(value: T, ...names: K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name as K))) as Omit<T, K>
/** What a caller sent of an entry, over what is stored. */
const over = <T extends object>(stored: T, sent: { [K in keyof T]?: T[K] | undefined }): T => ({
  ...stored,
  ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
})

type GradeType = Settings['grade_types'][number]
/** The grade types with the ranges of one of them changed. */
const withRanges = (
  settings: Settings,
  found: (type: GradeType) => boolean,
  make: (ranges: GradeType['ranges']) => GradeType['ranges'],
) => {
  const type = settings.grade_types.find(found)
  if (!type) throw refuse(404, 'not_found')
  return { grade_types: settings.grade_types.map((t) => (t === type ? { ...t, ranges: make(t.ranges) } : t)) }
}
const holding = (id: number) => (type: GradeType) => type.ranges.some((range) => range.id === id)
const at = <T extends { id?: number | undefined }>(entries: readonly T[], id: number): number => {
  const index = entries.findIndex((entry) => entry.id === id)
  if (index < 0) throw refuse(404, 'not_found')
  return index
}

const success = (
  settings: Settings,
  kind: GradeType['kind'],
  letters: readonly string[],
  value: boolean,
): SettingsPatch => {
  const type = settings.grade_types.find((t) => t.kind === kind)
  const unknown = letters.filter((letter) => !type?.ranges.some((range) => range.letter === letter))
  if (unknown.length || !type) {
    throw new Refusal(
      422,
      unknown.map((letter) => ({
        field: `letters.${letters.indexOf(letter)}`,
        code: 'grade_letter_unknown',
        data: { letter },
      })),
    )
  }
  return withRanges(
    settings,
    (t) => t === type,
    (ranges) => ranges.map((range) => (letters.includes(range.letter) ? { ...range, success: value } : range)),
  )
}

/** What is removed: an entry, and from which term on. */
interface Removing {
  readonly id: number
  readonly from_term_id?: number | undefined
}
async function removeLevel(ctx: Ctx, { id, from_term_id }: Removing) {
  const without = (s: Settings) => ({ levels: s.levels.filter((level) => level.id !== id) })
  return change(ctx, await bylawOf(ctx, 'level', id), without, undefined, from_term_id)
}
async function removeType(ctx: Ctx, { id, from_term_id }: Removing) {
  const without = (s: Settings) => ({ grade_types: s.grade_types.filter((type) => type.id !== id) })
  return change(ctx, await bylawOf(ctx, 'type', id), without, undefined, from_term_id)
}
async function removeRange(ctx: Ctx, { id, from_term_id }: Removing) {
  const without = (s: Settings) => withRanges(s, holding(id), (ranges) => percentRanges.remove(ranges, at(ranges, id)))
  return change(ctx, await bylawOf(ctx, 'range', id), without, undefined, from_term_id)
}

// --- The tree of programs ---------------------------------------------------------------------

async function readTree(db: Db | Tx, ctx: Ctx, id: number) {
  const { rows } = await sql<{
    tree: TreeNode[]
    version: number
    programs: { id: number; name: string; name_local: string; code: string; is_general: boolean }[]
  }>`
    select b.programs_tree as tree, b.version, coalesce((select json_agg(json_build_object('id', p.id, 'code', p.code, 'name', p.name,
        'name_local', p.name_local, 'is_general', p.is_general) order by p.code)
      from programs p where p.bylaw_id = b.id and p.removed_at is null), '[]') as programs
    from bylaws b where b.id = ${id} and ${scopeCondition(ctx, ['show_bylaw', 'edit_bylaw_settings'], bylawScope)}`.execute(
    db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return { data: rows[0] }
}

async function saveTree(ctx: Ctx, id: number, tree: readonly TreeNode[], version?: number) {
  return ctx.write(async (tx) => {
    await lockBylaw(tx, ctx, id, version)
    const { programs } = (await readTree(tx, ctx, id)).data
    const byId = new Map(programs.map((program) => [program.id, program]))
    const seen = new Set<number>()
    const reasons: Reason[] = []
    const visit = (node: TreeNode, field: string): void => {
      const program = byId.get(node.program_id)
      const name = program?.code ?? String(node.program_id)
      if (!program) reasons.push({ field, code: 'tree_program_unknown', data: { program: name } })
      else if (seen.has(node.program_id)) reasons.push({ field, code: 'tree_program_twice', data: { program: name } })
      else if (node.children.length && !program.is_general)
        reasons.push({ field, code: 'tree_not_general', data: { program: name } })
      seen.add(node.program_id)
      node.children.forEach((child, i) => visit(child, `${field}.children.${i}`))
    }
    tree.forEach((node, i) => visit(node, `tree.${i}`))
    if (reasons.length) throw new Refusal(422, reasons)
    await sql`update bylaws set programs_tree = ${JSON.stringify(tree)}::jsonb where id = ${id}`.execute(tx)
    return readTree(tx, ctx, id)
  })
}

export const bylawSettingsHandlers: Handled[] = [
  handle(c.settings, async (ctx, { params }) => ({ data: await readSettings(ctx.db, ctx, params.id) })),
  handle(c.setSettings, (ctx, { params, body: { version, from_term_id, ...patch } }) =>
    change(ctx, params.id, () => patch, version, from_term_id),
  ),
  handle(c.trainingWeeks, (ctx, { params, body: { version, ...patch } }) =>
    change(ctx, params.id, () => patch, version),
  ),
  handle(c.minFinalExam, (ctx, { params, body: { version, from_term_id, ...patch } }) =>
    change(ctx, params.id, () => patch, version, from_term_id),
  ),
  handle(c.warningType, (ctx, { params, body: { version, from_term_id, ...patch } }) =>
    change(ctx, params.id, () => patch, version, from_term_id),
  ),
  handle(c.admission, (ctx, { params, body: { version, ...patch } }) => change(ctx, params.id, () => patch, version)),
  handle(c.gradesVisibility, (ctx, { params, body: { version, ...sent } }) =>
    change(ctx, params.id, (s) => ({ grades_visibility: over(s.grades_visibility, sent) }), version),
  ),

  handle(c.addLevel, (ctx, { body: { bylaw_id, version, from_term_id, ...level } }) =>
    change(ctx, bylaw_id, (s) => ({ levels: [...s.levels, level] }), version, from_term_id),
  ),
  handle(c.editLevel, async (ctx, { params, body: { version, from_term_id, ...sent } }) =>
    change(
      ctx,
      await bylawOf(ctx, 'level', params.id),
      (s) => ({ levels: s.levels.map((level) => (level.id === params.id ? over(level, sent) : level)) }),
      version,
      from_term_id,
    ),
  ),
  handle(c.removeLevel, (ctx, { params, query }) => removeLevel(ctx, { ...params, ...query })),
  handle(c.removeLevelByQuery, (ctx, { query }) => removeLevel(ctx, query)),

  handle(c.addGradeType, (ctx, { body: { bylaw_id, version, from_term_id, ...type } }) =>
    change(ctx, bylaw_id, (s) => ({ grade_types: [...s.grade_types, type] }), version, from_term_id),
  ),
  handle(c.editGradeType, async (ctx, { params, body: { version, from_term_id, ...sent } }) =>
    change(
      ctx,
      await bylawOf(ctx, 'type', params.id),
      (s) => ({ grade_types: s.grade_types.map((type) => (type.id === params.id ? over(type, sent) : type)) }),
      version,
      from_term_id,
    ),
  ),
  handle(c.removeGradeType, (ctx, { params, query }) => removeType(ctx, { ...params, ...query })),
  handle(c.removeGradeTypeByQuery, (ctx, { query }) => removeType(ctx, query)),

  handle(c.addGradeRange, async (ctx, { body: { grade_type_id, version, from_term_id, ...range } }) =>
    change(
      ctx,
      await bylawOf(ctx, 'type', grade_type_id),
      (s) =>
        withRanges(
          s,
          (type) => type.id === grade_type_id,
          (ranges) => percentRanges.add(ranges, range),
        ),
      version,
      from_term_id,
    ),
  ),
  handle(c.editGradeRange, async (ctx, { params, body: { version, from_term_id, ...sent } }) =>
    change(
      ctx,
      await bylawOf(ctx, 'range', params.id),
      (s) =>
        withRanges(s, holding(params.id), (ranges) => {
          const index = at(ranges, params.id)
          return percentRanges.move(ranges, index, over(ranges[index]!, sent))
        }),
      version,
      from_term_id,
    ),
  ),
  handle(c.removeGradeRange, (ctx, { params, query }) => removeRange(ctx, { ...params, ...query })),
  handle(c.removeGradeRangeByQuery, (ctx, { query }) => removeRange(ctx, query)),
  handle(c.setSuccessGrades, (ctx, { params, body }) =>
    change(ctx, params.id, (s) => success(s, body.kind, body.letters, true), body.version, body.from_term_id),
  ),
  handle(c.removeSuccessGrades, (ctx, { params, body }) =>
    change(ctx, params.id, (s) => success(s, body.kind, body.letters, false), body.version, body.from_term_id),
  ),

  handle(c.addGpaRange, (ctx, { body }) =>
    change(
      ctx,
      body.bylaw_id,
      (s) =>
        body.type === 'load'
          ? { load_ranges: gpaRanges.add(s.load_ranges, without(body, 'bylaw_id', 'type', 'version')) }
          : { gpa_ranges: gpaRanges.add(s.gpa_ranges, without(body, 'bylaw_id', 'type', 'version')) },
      body.version,
    ),
  ),
  handle(c.setGpaRanges, (ctx, { body }) =>
    change(
      ctx,
      body.bylaw_id,
      () => (body.type === 'load' ? { load_ranges: body.ranges } : { gpa_ranges: body.ranges }),
      body.version,
    ),
  ),
  handle(c.editGpaRange, async (ctx, { params, body }) =>
    change(
      ctx,
      await bylawOf(ctx, body.type, params.id),
      (s) =>
        body.type === 'load'
          ? {
              load_ranges: gpaRanges.move(s.load_ranges, at(s.load_ranges, params.id), {
                id: params.id,
                ...without(body, 'type', 'version'),
              }),
            }
          : {
              gpa_ranges: gpaRanges.move(s.gpa_ranges, at(s.gpa_ranges, params.id), {
                id: params.id,
                ...without(body, 'type', 'version'),
              }),
            },
      body.version,
    ),
  ),
  handle(c.removeGpaRange, async (ctx, { params, body }) =>
    change(
      ctx,
      await bylawOf(ctx, body.type, params.id),
      (s) =>
        body.type === 'load'
          ? { load_ranges: gpaRanges.remove(s.load_ranges, at(s.load_ranges, params.id)) }
          : { gpa_ranges: gpaRanges.remove(s.gpa_ranges, at(s.gpa_ranges, params.id)) },
      body.version,
    ),
  ),

  ...requirementHandlers,
  handle(c.programsTree, (ctx, { params }) => readTree(ctx.db, ctx, params.id)),
  handle(c.saveProgramsTree, (ctx, { params, body }) => saveTree(ctx, params.id, body.tree, body.version)),
]
