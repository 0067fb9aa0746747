import { setTimeout as sleep } from 'node:timers/promises'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { cpu } from './measure.ts'
import type { Bench } from './setup.ts'
import { most } from './report.ts'
import type { Line, Result } from './report.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 300_000)
const ADMISSION = 1
const HEADINGS = [
  'رقم التنسيق',
  'الرقم القومي',
  'اسم الطالب',
  'English name',
  'النوع',
  'تاريخ الميلاد',
  'المحافظة',
  'العنوان',
  'الموبايل',
  'E-mail',
  'نوع الشهادة',
  'المدرسة',
  'المجموع',
  'البرنامج المرشح له',
]
const FIRST = ['محمد', 'أحمد', 'محمود', 'كريم', 'يوسف', 'عمر', 'مريم', 'سلمى', 'نور', 'فريدة', 'هنا', 'ملك']
const LATIN = [
  'Mohamed',
  'Ahmed',
  'Mahmoud',
  'Karim',
  'Youssef',
  'Omar',
  'Mariam',
  'Salma',
  'Nour',
  'Farida',
  'Hana',
  'Malak',
]
const LAST = [
  'علي',
  'حسن',
  'إبراهيم',
  'السيد',
  'عبد الله',
  'مصطفى',
  'سعيد',
  'فؤاد',
  'منصور',
  'شاكر',
  'كامل',
  'رجب',
  'نبيل',
]
const LATIN_LAST = [
  'Ali',
  'Hassan',
  'Ibrahim',
  'Elsayed',
  'Abdallah',
  'Mostafa',
  'Said',
  'Fouad',
  'Mansour',
  'Shaker',
  'Kamel',
  'Ragab',
  'Nabil',
]
const two = (n: number) => String(n).padStart(2, '0')

/** Most that a process has ever held resident, in megabytes. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** A row of somebody else each time: one in a thousand says the total is above what the certificate is out of. */
function rowOf(i: number, programs: readonly string[], certificate: string): string[] {
  const man = i % FIRST.length < 6
  const [a, b, c] = [i % FIRST.length, Math.floor(i / 12) % LAST.length, Math.floor(i / 156) % LAST.length]
  const [year, month, day] = [6 + (i % 3), (Math.floor(i / 3) % 12) + 1, (Math.floor(i / 36) % 28) + 1]
  const id = `3${two(year)}${two(month)}${two(day)}01${String(Math.floor(i / 1008)).padStart(3, '0')}${man ? 1 : 2}${i % 10}`
  return [
    `T-${i + 1}`,
    id,
    `${FIRST[a]} ${LAST[b]} ${LAST[c]}`,
    `${LATIN[a]} ${LATIN_LAST[b]} ${LATIN_LAST[c]}`,
    man ? 'ذكر' : 'أنثى',
    `${day}/${month}/20${two(year)}`,
    '',
    `${(i % 90) + 1} شارع الجمهورية`,
    `010${String(10_000_000 + i).padStart(8, '0')}`,
    `person${i}@example.com`,
    certificate,
    'مدرسة النيل الثانوية',
    i % 1000 === 999 ? '999999' : (160 + (i % 3200) / 20).toFixed(2),
    programs[i % programs.length]!,
  ]
}

/** The sheet of a ministry with 300,000 people: handed in, read and compared, saved, and handed in once more. */
export async function applicantImport(bench: Bench): Promise<Result> {
  const { url, pool } = await bench.database('bench_applicant_import', 4)
  const { rows: offered } = await pool.query<{ code: string }>(
    'select p.code from admission_programs x join programs p on p.id = x.program_id where x.admission_id = $1 and x.is_open and x.removed_at is null',
    [ADMISSION],
  )
  const { rows: types } = await pool.query<{ code: string }>('select code from certificate_types where id = 1')
  const programs = offered.map(({ code }) => code)
  const lines: string[] = [HEADINGS.join(',')]
  for (let i = 0; i < ROWS; i++) lines.push(rowOf(i, programs, types[0]!.code).join(','))
  const file = Buffer.from(lines.join('\r\n'))
  lines.length = 0
  const server = await bench.server(url)
  const token = await bench.signIn(pool, 'root@canopus.example.edu')
  const resting = peakOf(server.pid)
  const data = async <T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> =>
    JSON.parse(await server.send(token, method, path, body)) as T
  interface Shown {
    id: number
    columns: Record<string, number>
    counts: Record<string, number>
    rows: number
  }
  const follow = async (id: string) => {
    for (;;) {
      const { data: job } = await data<{ data: { state: string; error: unknown } }>('GET', `/jobs/${id}`)
      if (job.state === 'done') return
      if (job.state === 'failed' || job.state === 'cancelled') throw new Error(JSON.stringify(job))
      await sleep(100)
    }
  }
  const out: Line[] = []
  const timed = async <T>(
    what: string,
    target: number | null,
    work: () => Promise<T>,
  ): Promise<{ result: T; seconds: number }> => {
    const from = cpu(server.pid, bench.postmaster)
    const started = performance.now()
    const result = await work()
    const seconds = (performance.now() - started) / 1000
    const to = cpu(server.pid, bench.postmaster)
    out.push(target === null ? { what, value: `${seconds.toFixed(1)} s` } : most(what, seconds, target, 's'), {
      what: '  CPU of server and database',
      value: `${((to.server - from.server) / 1000).toFixed(1)} s and ${((to.database - from.database) / 1000).toFixed(1)} s`,
    })
    console.log(what, seconds.toFixed(1), 's; server at most', peakOf(server.pid).toFixed(0), 'MB')
    return { result, seconds }
  }
  const handIn = async (): Promise<Shown> => {
    const form = new FormData()
    form.append('admission_id', String(ADMISSION))
    form.append('file', new Blob([file as Uint8Array<ArrayBuffer>]), 'tansik.csv')
    const answer = await fetch(`${server.origin}/api/applicants/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    if (!answer.ok) throw new Error(`import: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: Shown }).data
  }
  const check = async ({ id, columns }: Shown): Promise<Shown> => {
    const { job_id } = await data<{ job_id: string }>('POST', `/applicants/import/check/${id}`, { columns })
    await follow(job_id)
    return (await data<{ data: Shown }>('GET', `/applicants/import/${id}`)).data
  }
  const { result: first, seconds: sent } = await timed(
    `${ROWS} rows (${(file.length / 1e6).toFixed(0)} MB) handed in`,
    null,
    handIn,
  )
  const { result: read, seconds: reading } = await timed('read and compared', null, () => check(first))
  const { seconds: saving } = await timed('saved', null, async () => {
    const { job_id } = await data<{ job_id: string }>('POST', `/applicants/import/save/${read.id}`, {
      new: read.counts.new,
      changed: read.counts.changed,
    })
    await follow(job_id)
  })
  const { rows: there } = await pool.query<{ n: number }>(
    'select count(*)::int as n from applicant_nominations n join applicant_imports i on i.id = n.import_id where i.id = $1',
    [read.id],
  )
  if (there[0]?.n !== read.counts.new) throw new Error(`${there[0]?.n} instead of ${read.counts.new} were made`)
  out.push(most('handed in, read and saved together', sent + reading + saving, 120, 's'))
  const again = await timed('the same file again, handed in and compared', null, async () => check(await handIn()))
  out.push({
    what: 'new, wrong, then the same',
    value: `${read.counts.new}, ${read.counts.wrong}, ${again.result.counts.same}`,
  })
  const bare = await copyBare(pool, file)
  out.push(
    {
      what: 'of a bare COPY of the same rows into a temporary table',
      value: `${((reading + saving) / bare).toFixed(0)} times as long (${bare.toFixed(2)} s)`,
    },
    most('most resident memory of the server', peakOf(server.pid), 500, 'MB'),
    { what: 'of it before', value: `${resting.toFixed(0)} MB` },
  )
  await server.stop()
  return { name: 'applicant-import', title: 'Sheet of a ministry', lines: out }
}

/** Seconds of a bare COPY of the file: what the database alone takes for its rows. */
async function copyBare(pool: Awaited<ReturnType<Bench['database']>>['pool'], file: Buffer): Promise<number> {
  const path = `${os.tmpdir()}/bench-applicants-${process.pid}.csv`
  writeFileSync(path, file)
  const client = await pool.connect()
  try {
    const columns = HEADINGS.map((_, i) => `c${i} text`).join(', ')
    const started = performance.now()
    await client.query(`create temporary table bare (${columns})`)
    await client.query(`copy bare from '${path}' with (format csv, header)`)
    return (performance.now() - started) / 1000
  } finally {
    await client.query('drop table if exists bare')
    client.release()
    rmSync(path, { force: true })
  }
}
