import { createHash } from 'node:crypto'
import { insertRows } from '#db/bulk.ts'
import { demoPart, momentBefore, stepsTo, usersByEmail } from '#demo/part.ts'
import { addDays } from '#kit/contract/day.ts'
import { sql } from 'kysely'
import { elsewhereFlow } from './external.contract.ts'

/** A page with a frame: what a scan looks like from afar. */
const SCAN = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAFAAAABuCAAAAACVCsusAAAAjElEQVR42u2asQnAMAwENWJGytgpUwZc2KBIIf8+DXAY/tCrcBzFEw3Aq3AAAgQIcA08E1MOHLk5IClv5uEYewrY9UJS3szDJ/YXwK4XkrKzhx5FjzYe+1C96NHGqZd1ix5t/O5DxaJHG3EPTYoebSz2oXzRo41RLwsXPdrY3YdfFD0pAwQ4A/78r8gN7kxQFZg7eIwAAAAASUVORK5CYII=',
  'base64',
)
const ISSUERS = [
  ['SUDAN-U', 'University of Khartoum', 'جامعة الخرطوم', 'registry@khartoum.example'],
  ['JORDAN-U', 'University of Jordan', 'الجامعة الأردنية', 'registry@jordan.example'],
  ['OLD-SCHOOL', 'Nile Secondary School', 'مدرسة النيل الثانوية', null],
] as const
/** State, issuer, kind, number; what was found, and what the issuer said. */
const PAPERS = [
  ['New', 0, 'transcript', 'TR-2231', null, null],
  ['New', 2, 'school', null, null, null],
  ['issuer asked', 1, 'degree', 'D-1987', null, null],
  ['confirmed', 0, 'degree', 'D-4410', 'genuine', 'In our register'],
  ['not genuine', 1, 'transcript', 'TR-0001', 'not_genuine', 'This number was never issued'],
  ['no answer', 2, 'school', null, 'unknown', 'The school was closed'],
] as const

/** Papers from elsewhere in each state: of students, and one of somebody else. */
export default demoPart(
  ['paper_issuers', 'external_papers', 'external_paper_files', 'external_paper_checks', 'external_paper_asks'],
  ['students', 'users'],
  async (tx, demo) => {
    const officer = (await usersByEmail(tx)).get(`affairs@${demo.university.domain}`) ?? null
    const hash = createHash('sha256').update(SCAN).digest('hex')
    const issuers = await insertRows(
      tx,
      'paper_issuers',
      ISSUERS.map(([code, name, name_local, email]) => ({ code, name, name_local, email })),
      { returning: 'id' },
    )
    const { rows: students } = await sql<{
      id: number
    }>`select id from students where status = 'studying' and removed_at is null
      and not is_second_record and id > 500 order by id limit ${PAPERS.length}`.execute(tx)
    for (const [i, [status, issuer, kind, number, result, remark]] of PAPERS.entries()) {
      const at = momentBefore(2 * (PAPERS.length - i) + 6)
      const whose = i === 1 ? { person_name: 'Samir Adel' } : { student_id: students[i]!.id }
      const [paper_id] = await insertRows(
        tx,
        'external_papers',
        [{ ...whose, issuer_id: issuers[issuer], kind, number, issued_on: null, status, sha256: hash, created_at: at }],
        { returning: 'id' },
      )
      const file = { hash, name: 'scan.png', ext: 'png', mime: 'image/png', size: SCAN.byteLength, created_by: officer }
      const [file_id] = await insertRows(tx, 'files', [file], { returning: 'id' })
      await insertRows(tx, 'external_paper_files', [
        { paper_id, file_id, sha256: hash, created_by: officer, created_at: at },
      ])
      if (status === 'issuer asked')
        await insertRows(tx, 'external_paper_asks', [
          { paper_id, email: ISSUERS[issuer][3], asked_by: officer, asked_at: at, due_on: addDays(demo.today, 9) },
        ])
      if (result !== null)
        await insertRows(tx, 'external_paper_checks', [
          { paper_id, sha256: hash, how: 'letter', result, remark, answered_by: 'Registry', user_id: officer, at },
        ])
      const step = { workflow: elsewhereFlow.name, reason: remark, record_id: paper_id!, at, actor_id: officer }
      await insertRows(tx, 'step_history', [
        { ...step, reason: null, action: 'begin', from_state: null, to_state: 'New' },
        ...stepsTo(elsewhereFlow, status).map((taken) => ({ ...step, ...taken })),
      ])
    }
    return async (_db, storage) => {
      await storage.put(SCAN)
    }
  },
)
