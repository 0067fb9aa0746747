/** A new version begins as its predecessor was. */
import type { Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import { PART_KINDS } from './parts.contract.ts'

const COLUMNS: Readonly<Record<(typeof PART_KINDS)[number], string>> = {
  outcomes: 'position, code, domain, level, verb, text, text_local, target',
  topics: 'position, text, text_local, weeks, hours',
  methods: 'position, text, text_local',
  assessments: 'position, text, text_local, weight, week, mark_category_id',
  references: 'position, kind, text',
}
/** Parts and matrices of the version from which `id` was begun; rows are found again by what is unique in a specification. */
export async function copyParts(tx: Tx, id: number): Promise<void> {
  for (const kind of PART_KINDS) {
    const [table, columns] = [sql.table(`specification_${kind}`), sql.raw(COLUMNS[kind])]
    await sql`insert into ${table} (specification_id, ${columns}) select ${id}, ${columns} from ${table}
      where specification_id = (select from_id from specifications where id = ${id}) order by position, id`.execute(tx)
  }
  for (const [table, parts, other] of [
    ['outcome_topics', 'specification_topics', 'topic_id'],
    ['outcome_methods', 'specification_methods', 'method_id'],
    ['outcome_assessments', 'specification_assessments', 'assessment_id'],
  ] as const)
    await sql`insert into ${sql.table(table)} (specification_id, outcome_id, ${sql.ref(other)})
      select ${id}, n.id, m.id from ${sql.table(table)} x
        join specification_outcomes o on o.id = x.outcome_id
        join specification_outcomes n on n.specification_id = ${id} and n.code = o.code
        join ${sql.table(parts)} a on a.id = x.${sql.ref(other)}
        join ${sql.table(parts)} m on m.specification_id = ${id} and m.text = a.text
      where x.specification_id = (select from_id from specifications where id = ${id})`.execute(tx)
  await sql`insert into outcome_contributions (specification_id, outcome_id, program_id, code)
    select ${id}, n.id, x.program_id, x.code from outcome_contributions x join specification_outcomes o on o.id = x.outcome_id
      join specification_outcomes n on n.specification_id = ${id} and n.code = o.code
    where x.specification_id = (select from_id from specifications where id = ${id})`.execute(tx)
}
