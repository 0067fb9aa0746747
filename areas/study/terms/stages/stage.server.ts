import { sql } from 'kysely'
import { workings } from '#kit/server/resource/resource.ts'
import { stage, stageGroup } from './stage.contract.ts'

/**
 * By what a group of students is bound: its most exact criterion names a program, bylaw or faculty, and with it the
 * units above. A group without any, by level alone, is of the whole university.
 */
const groupUnits = (alias: 't' | 'g') => {
  const g = (column: string) => sql.ref(`${alias}.${column}`)
  return {
    faculty: sql`coalesce(${g('faculty_id')}, (select b.faculty_id from bylaws b where b.id = ${g('bylaw_id')}),
      (select p.faculty_id from programs p where p.id = ${g('program_id')}))`,
    bylaw: sql`coalesce(${g('bylaw_id')}, (select p.bylaw_id from programs p where p.id = ${g('program_id')}))`,
    program: g('program_id'),
  }
}
const ofAll = (alias: 't' | 'g') =>
  sql`num_nonnulls(${sql.ref(`${alias}.faculty_id`)}, ${sql.ref(`${alias}.bylaw_id`)}, ${sql.ref(`${alias}.program_id`)}) = 0`
const ofGroup = (unit: 'faculty' | 'bylaw' | 'program') => () =>
  sql`(select ${groupUnits('g')[unit]} from stage_groups g where g.id = t.stage_group_id)`

export const stageGroups = workings(stageGroup, {
  scope: {
    faculty: () => groupUnits('t').faculty,
    bylaw: () => groupUnits('t').bylaw,
    program: () => groupUnits('t').program,
  },
  common: ofAll('t'),
})

export const stages = workings(stage, {
  scope: { faculty: ofGroup('faculty'), bylaw: ofGroup('bylaw'), program: ofGroup('program') },
  common: sql`(t.stage_group_id is null or exists (select from stage_groups g where g.id = t.stage_group_id and ${ofAll('g')}))`,
  search: [],
  lookups: ['stage_code_id'],
})
