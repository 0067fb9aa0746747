import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { firstRow } from '#db/rows.ts'
import { demoPart, usersByEmail } from '#demo/part.ts'

/** A page with a frame: what a scan looks like from afar. */
const SCAN = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAFAAAABuCAAAAACVCsusAAAAjElEQVR42u2asQnAMAwENWJGytgpUwZc2KBIIf8+DXAY/tCrcBzFEw3Aq3AAAgQIcA08E1MOHLk5IClv5uEYewrY9UJS3szDJ/YXwK4XkrKzhx5FjzYe+1C96NHGqZd1ix5t/O5DxaJHG3EPTYoebSz2oXzRo41RLwsXPdrY3YdfFD0pAwQ4A/78r8gN7kxQFZg7eIwAAAAASUVORK5CYII=',
  'base64',
)

/** Two families that papers prove, and one that was ended: cousins, as it turned out. */
export default demoPart(['families', 'family_members'], ['students', 'users'], async (tx, demo) => {
  const clerk = (await usersByEmail(tx)).get(`finance@${demo.university.domain}`) ?? null
  const hash = createHash('sha256').update(SCAN).digest('hex')
  // Of one faculty each, so that a clerk of the faculty sees them; cousins of two.
  const { rows: students } = await sql<{ id: number; faculty_id: number }>`
    select s.id, s.faculty_id from students s where s.status = 'studying' and s.removed_at is null and not s.is_second_record
      and s.id > 300 and s.parent_phone is not null order by s.id limit 400`.execute(tx)
  const faculties = [...Map.groupBy(students, (one) => one.faculty_id).values()].filter((of) => of.length > 6)
  const [first, second] = [faculties[0]!, faculties[1] ?? faculties[0]!]
  const make = async (name: string, members: readonly { id: number }[], more: { notes?: string; ended?: string }) => {
    const { rows: file } = await sql<{ id: number }>`insert into files (hash, name, ext, mime, size, created_by)
      values (${hash}, 'birth-certificates.png', 'png', 'image/png', ${SCAN.byteLength}, ${clerk}) returning id`.execute(
      tx,
    )
    const { rows } = await sql<{ id: number }>`insert into families (name, proof_id, notes, made_by_id)
      values (${name}, ${firstRow(file).id}, ${more.notes ?? null}, ${clerk}) returning id`.execute(tx)
    const { id } = firstRow(rows)
    for (const member of members)
      await sql`insert into family_members (family_id, student_id) values (${id}, ${member.id})`.execute(tx)
    if (more.ended)
      await sql`update families set status = 'ended', ended_on = ${demo.today}::date, ended_by_id = ${clerk}, ended_reason = ${more.ended}
        where id = ${id}`.execute(tx)
  }
  await make('El-Sharkawy', first.slice(0, 3), { notes: 'Three children of one mother, two fathers' })
  await make('Mansour', second.slice(3, 5), {})
  await make('Hegazy', [first[5]!, second[5]!], { ended: 'Cousins: the fathers are brothers' })
  return async (_db, storage) => {
    await storage.put(SCAN)
  }
})
