import { machine, openBench } from './setup.ts'
import type { Bench } from './setup.ts'
import { print } from './report.ts'
import type { Result } from './report.ts'

/**
 *   npm run bench              everything
 *   npm run bench -- NAME …    only these
 *
 * How to read the figures: `bench/README.md`.
 */
const BENCHES: Readonly<Record<string, () => Promise<(bench: Bench) => Promise<Result>>>> = {
  list: async () => (await import('./students.ts')).studentList,
  student: async () => (await import('./students.ts')).oneStudent,
  'first-load': async () => (await import('./first-load.ts')).firstLoad,
  registration: async () => (await import('./registration.ts')).registration,
  rush: async () => (await import('./rush.ts')).rush,
  week: async () => (await import('./reading.ts')).week,
  list500: async () => (await import('./reading.ts')).longList,
  dashboard: async () => (await import('./reading.ts')).dashboard,
  rights: async () => (await import('./rights.ts')).rights,
  fairness: async () => (await import('./fairness.ts')).fairness,
  marks: async () => (await import('./marks.ts')).marks,
  finish: async () => (await import('./finish.ts')).finishTerm,
  hostile: async () => (await import('./hostile.ts')).hostile,
  import: async () => (await import('./import.ts')).universityImport,
  logs: async () => (await import('./logs.ts')).logScreen,
  archive: async () => (await import('./archive.ts')).archive,
  chat: async () => (await import('./chat.ts')).chat,
  transcript: async () => (await import('./transcript.ts')).transcripts,
  'degree-audit': async () => (await import('./degree-audit.ts')).degreeAudit,
  'verify-grades': async () => (await import('./verify-grades.ts')).verifyMarks,
  ledger: async () => (await import('./ledger.ts')).proveLedger,
  reports: async () => (await import('./reports.ts')).financialReports,
  figures: async () => (await import('./figures.ts')).figureReports,
  'own-reports': async () => (await import('./own-reports.ts')).ownReports,
  levels: async () => (await import('./levels.ts')).levelPreview,
  corrections: async () => (await import('./corrections.ts')).corrections,
  attendance: async () => (await import('./attendance.ts')).attendance,
  logbook: async () => (await import('./logbook.ts')).logbook,
  preflight: async () => (await import('./preflight.ts')).preflight,
  'exam-weeks': async () => (await import('./exam-weeks.ts')).examWeeks,
  'exam-seats': async () => (await import('./exam-seats.ts')).examSeats,
  drag: async () => (await import('./term.ts')).drag,
  feed: async () => (await import('./term.ts')).feed,
  paper: async () => (await import('./term.ts')).paper,
  account: async () => (await import('./money.ts')).studentAccount,
  'next-invoices': async () => (await import('./money.ts')).nextInvoices,
  'bank-file': async () => (await import('./money.ts')).bankFile,
  reminders: async () => (await import('./reminders.ts')).reminders,
  callbacks: async () => (await import('./callbacks.ts')).callbacks,
  specialisation: async () => (await import('./specialisation.ts')).specialisation,
  distribution: async () => (await import('./distribution.ts')).distribution,
  'admission-day': async () => (await import('./admission-day.ts')).admissionDay,
  beds: async () => (await import('./beds.ts')).beds,
  papers: async () => (await import('./papers.ts')).papers,
  rotations: async () => (await import('./rotations.ts')).rotations,
  attainment: async () => (await import('./attainment.ts')).attainment,
  'rows-sheet': async () => (await import('./rows-sheet.ts')).rowsSheet,
  'room-use': async () => (await import('./room-use.ts')).roomUse,
  pack: async () => (await import('./pack.ts')).pack,
  publications: async () => (await import('./publications.ts')).publications,
  repository: async () => (await import('./repository.ts')).repository,
  credentials: async () => (await import('./credentials.ts')).issuedCredentials,
  questionnaires: async () => (await import('./questionnaires.ts')).questionnaires,
  'applicant-import': async () => (await import('./applicant-import.ts')).applicantImport,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in BENCHES))
if (unknown.length) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}`)
  process.exit(1)
}
console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`)
const bench = await openBench()
let missed = 0
try {
  for (const [name, load] of Object.entries(BENCHES)) {
    if (wanted.length && !wanted.includes(name)) continue
    const result = await (await load())(bench)
    missed += result.lines.filter((line) => line.met === false).length
    print(result)
  }
} finally {
  await bench.stop()
}
console.log(missed ? `\n${missed} targets missed` : '\nevery target met')
process.exit(missed ? 1 : 0)
