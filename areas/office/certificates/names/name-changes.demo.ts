import { createHash } from 'node:crypto'
import { insertRows } from '#db/bulk.ts'
import { demoPart, momentBefore, stepsTo } from '#demo/part.ts'
import { sql } from 'kysely'
import { nameChangeFlow } from './name-change.contract.ts'

/** A page with a frame: what a scan looks like from afar. */
const SCAN = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAFAAAABuCAAAAACVCsusAAAAjElEQVR42u2asQnAMAwENWJGytgpUwZc2KBIIf8+DXAY/tCrcBzFEw3Aq3AAAgQIcA08E1MOHLk5IClv5uEYewrY9UJS3szDJ/YXwK4XkrKzhx5FjzYe+1C96NHGqZd1ix5t/O5DxaJHG3EPTYoebSz2oXzRo41RLwsXPdrY3YdfFD0pAwQ4A/78r8gN7kxQFZg7eIwAAAAASUVORK5CYII=',
  'base64',
)
/** State, why it has changed, in words, the new given names. */
const ASKED = [
  ['requested', 'registry', 'صُحح اسمي في السجل المدني.', 'Mariam', 'مريم'],
  ['requested', 'nationality', 'My passport spells my name in another way.', 'Youssef', 'يوسف'],
  ['requested', 'marriage', 'My new identity card bears another family name.', 'Nour', 'نور'],
  ['accepted', 'court', 'حكمت المحكمة بتغيير اسمي.', 'Hoda', 'هدى'],
  ['rejected', 'marriage', 'I have married.', 'Salma', 'سلمى'],
  ['cancelled', 'registry', 'طلبته بالخطأ.', 'Karim', 'كريم'],
] as const

/** Changes of names in each state; of the one that was accepted the record bears the new name. */
export default demoPart(['name_changes', 'former_names'], ['students', 'users', 'certificates'], async (tx) => {
  const hash = createHash('sha256').update(SCAN).digest('hex')
  const { rows: students } = await sql<{ id: number; user_id: number; name: string; name_local: string }>`
    select s.id, s.user_id, s.name, s.name_local from students s where s.user_id is not null and s.status = 'studying' and not s.is_second_record
      and s.id > 400 and not exists (select from certificates c where c.student_id = s.id) and not exists (select from papers p
        where p.subject = 'student' and p.subject_id = s.id) order by row_number() over (partition by s.faculty_id order by s.advisor_id nulls last, s.id), s.id limit ${ASKED.length}`.execute(
    tx,
  )
  for (const [i, [status, ground, why, given, given_local]] of ASKED.entries()) {
    const one = students[i]!
    const [family, family_local] = [one.name.split(' ').at(-1)!, one.name_local.split(' ').at(-1)!]
    const at = momentBefore(2 * (ASKED.length - i))
    const [proof_id] = await insertRows(
      tx,
      'files',
      [{ hash, name: 'registry.png', ext: 'png', mime: 'image/png', size: SCAN.byteLength, created_by: one.user_id }],
      { returning: 'id' },
    )
    const [id] = await insertRows(
      tx,
      'name_changes',
      [
        {
          student_id: one.id,
          given_name: given,
          family_name: family,
          given_name_local: given_local,
          family_name_local: family_local,
          new_name: `${given} ${family}`,
          new_name_local: `${given_local} ${family_local}`,
          old_name: one.name,
          old_name_local: one.name_local,
          ground,
          proof_id,
          why,
          status,
          created_at: at,
        },
      ],
      { returning: 'id' },
    )
    const step = { workflow: nameChangeFlow.name, reason: null, record_id: id! }
    await insertRows(tx, 'step_history', [
      { ...step, at, actor_id: one.user_id, action: 'begin', from_state: null, to_state: 'requested' },
      ...stepsTo(nameChangeFlow, status).map((taken) => ({
        ...step,
        at: momentBefore(2 * (ASKED.length - i) - 1),
        actor_id: null,
        ...taken,
      })),
    ])
    if (status !== 'accepted') continue
    await sql`insert into former_names (student_id, name, name_local) values (${one.id}, ${one.name}, ${one.name_local})`.execute(
      tx,
    )
    await sql`update students set name = ${`${given} ${family}`}, name_local = ${`${given_local} ${family_local}`}, given_name = ${given},
      family_name = ${family}, given_name_local = ${given_local}, family_name_local = ${family_local} where id = ${one.id}`.execute(
      tx,
    )
  }
  return async (_db, storage) => {
    await storage.put(SCAN)
  }
})
