/**
 * Compares the evaluator of requirements with audits that another system made: `node tests/degree-audit.ts DIR`. DIR holds
 * `requirements/*.json` and `audits/*.test` with `*.test.expected`, in the format of TigerPath (Princeton). Each programme
 * is converted into a tree of requirements, audited, and the answer is written in their format again. Prints how many agree
 * and every difference; exits with 1 when there is one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { auditOf, differences, type TheirCourse } from './degree-audit-answer.ts'
import { readProgramme, type TheirProgramme } from './degree-audit-format.ts'

const [dir] = process.argv.slice(2)
if (!dir) throw new Error('Say which folder: node tests/degree-audit.ts DIR')
const read = (...parts: string[]): string => readFileSync(path.join(dir, ...parts), 'utf8')
const list = (folder: string, end: string): string[] =>
  readdirSync(path.join(dir, folder))
    .filter((name) => name.endsWith(end))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))

let failed = false
const say = (text: string): void => {
  failed = true
  console.log(text)
}

const programmes = new Map<string, TheirProgramme>()
const files = list('requirements', '.json')
let expressed = 0
/** Programmes of which every rule is judged. */
let judged = 0
for (const file of files) {
  try {
    const programme = JSON.parse(read('requirements', file)) as TheirProgramme
    programmes.set(file.slice(0, -'.json'.length), programme)
    const { problems, unreachable, told } = readProgramme(programme)
    // Not judged, and not dropped in silence.
    for (const one of told) console.log(`${file}: not judged: ${one}`)
    if (problems.length === 0 && told.length === 0) judged++
    for (const problem of problems) say(`${file}: ${problem}`)
    // It is expressed as it is written; what is written cannot be met by anybody.
    for (const one of unreachable) console.log(`${file}: nobody can meet it: ${one}`)
    if (problems.length === 0) expressed++
  } catch (error) {
    say(`${file}: ${String(error)}`)
  }
}

/** JSON texts one after the other, as the expected answers have them: the courses, then the programme. */
function documents(text: string): unknown[] {
  return text
    .split(/\n\s*\n(?=[{[])/)
    .filter((part) => part.trim() !== '')
    .map((part) => JSON.parse(part) as unknown)
}

const tests = list('audits', '.test')
let agreed = 0
for (const file of tests) {
  try {
    const text = read('audits', file)
    const [code = '', year = ''] = text.split('\n', 2).map((line) => line.trim())
    const courses = JSON.parse(text.split('\n').slice(2).join('\n')) as TheirCourse[][]
    const programme = programmes.get(`${code}_${year}`)
    if (!programme) throw new Error(`there is no programme ${code}_${year}`)
    const [expectedCourses, expectedProgramme] = documents(read('audits', `${file}.expected`))
    const answer = auditOf(programme, courses)
    const wrong = [
      ...differences('courses', answer.courses, expectedCourses),
      ...differences('programme', answer.programme, expectedProgramme),
    ]
    for (const one of wrong) say(`${file}: ${one}`)
    if (
      wrong.length === 0 &&
      isDeepStrictEqual([answer.courses, answer.programme], [expectedCourses, expectedProgramme])
    )
      agreed++
  } catch (error) {
    say(`${file}: ${String(error)}`)
  }
}
console.log(
  `programmes ${expressed} of ${files.length}, every rule judged ${judged}, audits ${agreed} of ${tests.length}`,
)
if (failed || expressed < files.length || agreed < tests.length) process.exitCode = 1
