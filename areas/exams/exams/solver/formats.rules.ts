import type { ExamProblem, ExamPlacement, ProblemExam, Weights } from './problem.contract.ts'

/** No wish costs anything. */
export const NO_WEIGHTS: Weights = {
  spread: [],
  twoInRow: 0,
  twoInDay: 0,
  early: { exams: 0, slots: 0, weight: 0 },
  slots: 0,
  halls: 0,
  mixed: 0,
  split: 0,
  invigilators: 0,
  worst: 0,
}

/** A file is not of the format; `line` from 1. */
export class FormatError extends Error {
  constructor(what: string, line?: number) {
    super(line === undefined ? what : `line ${line}: ${what}`)
    this.name = 'FormatError'
  }
}

/** Without the mark some editors put before everything, as it is read in UTF-8 or in Latin-1. */
const bare = (text: string) => text.replace(/^(?:\uFEFF|ï»¿)/, '')
const fields = (text: string) =>
  bare(text)
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trim().split(/\s+/))

/**
 * The examination instances of Carter, Laporte and Lee (University of Toronto): `exm` lines of exam and how many write
 * it, `stu` lines of student and exam, `slo` the number of slots. Cost is the proximity of each student's exams: 16, 8,
 * 4, 2, 1 for 1 to 5 slots apart. Exams are told by their `id`.
 */
export function readToronto(files: { exm: string; stu: string; slo: string }): ExamProblem {
  const slots = Number(fields(files.slo).find(([text]) => text)?.[0])
  if (!Number.isInteger(slots) || slots < 1) throw new FormatError('the .slo file is no number of slots')
  const index = new Map<number, number>()
  const place = (text: string | undefined, line: number): number => {
    const id = Number(text)
    if (!text || !Number.isInteger(id)) throw new FormatError(`"${text ?? ''}" is no number of an exam`, line)
    const known = index.get(id)
    if (known !== undefined) return known
    index.set(id, index.size)
    return index.size - 1
  }
  for (const [at, [exam]] of fields(files.exm).entries()) if (exam) place(exam, at + 1)
  const takes = new Map<string, Set<number>>()
  for (const [at, [student, exam, ...more]] of fields(files.stu).entries()) {
    if (!student) continue
    if (more.length > 0) throw new FormatError('more than a student and an exam', at + 1)
    const taken = takes.get(student) ?? new Set()
    takes.set(student, taken.add(place(exam, at + 1)))
  }
  const students = [...takes.values()].map((taken) => [...taken])
  const sizes = new Int32Array(index.size)
  for (const taken of students) for (const exam of taken) sizes[exam]! += 1
  return {
    slots: Array.from({ length: slots }, (_, slot) => ({ id: slot, day: slot, minutes: 1 })),
    halls: [],
    exams: [...index].map(([id, exam]) => ({ id, size: sizes[exam]!, minutes: 1 })),
    students,
    weights: { ...NO_WEIGHTS, spread: [16, 8, 4, 2, 1] },
  }
}

/** A line of exam and slot (from 0) for each exam. */
export const writeToronto = (problem: ExamProblem, placements: readonly ExamPlacement[]): string =>
  problem.exams.map(({ id }, exam) => `${String(id).padStart(4, '0')} ${placements[exam]!.slot}\n`).join('')

/** Sections of a file of the competition, each line split at commas, with its number. */
function sections(text: string): Map<string, { line: number; cells: string[] }[]> {
  const all = new Map<string, { line: number; cells: string[] }[]>()
  let here: { line: number; cells: string[] }[] | undefined
  for (const [at, raw] of bare(text)
    .split(/\r\n|[\r\n]/)
    .entries()) {
    const line = raw.trim()
    if (line === '') continue
    const name = /^\[\s*(\w+)/.exec(line)?.[1]
    if (name) all.set(name, (here = all.get(name) ?? []))
    else if (here) here.push({ line: at + 1, cells: line.split(',').map((cell) => cell.trim()) })
    else throw new FormatError('a line before the first section', at + 1)
  }
  return all
}

/** The examination track of the second International Timetabling Competition (`.exam`). */
export function readItc2007(text: string): ExamProblem {
  const all = sections(text)
  const lines = (name: string) => all.get(name) ?? []
  const whole = (cell: string | undefined, line: number): number => {
    const number = Number(cell)
    if (!cell || !Number.isInteger(number)) throw new FormatError(`"${cell ?? ''}" is no whole number`, line)
    return number
  }
  for (const name of ['Exams', 'Periods', 'Rooms'])
    if (lines(name).length === 0) throw new FormatError(`section ${name} is missing or empty`)

  const takes = new Map<string, number[]>()
  const alone = new Set<number>()
  for (const { line, cells } of lines('RoomHardConstraints')) {
    if (cells[1]?.toUpperCase() !== 'ROOM_EXCLUSIVE')
      throw new FormatError(`"${cells[1]}" is no constraint of rooms`, line)
    alone.add(whole(cells[0], line))
  }
  const exams = lines('Exams').map(({ line, cells }, exam): ProblemExam => {
    const students = new Set(cells.slice(1).filter((cell) => cell !== ''))
    for (const student of students) {
      const taken = takes.get(student) ?? []
      taken.push(exam)
      takes.set(student, taken)
    }
    const minutes = whole(cells[0], line)
    return { id: exam, size: students.size, minutes, maxHalls: 1, ...(alone.has(exam) && { alone: true }) }
  })
  const known = (cell: string | undefined, line: number): number => {
    const exam = whole(cell, line)
    if (exam < 0 || exam >= exams.length) throw new FormatError(`there is no exam ${exam}`, line)
    return exam
  }
  const pairs: Record<string, [number, number][]> = { AFTER: [], EXAM_COINCIDENCE: [], EXCLUSION: [] }
  for (const { line, cells } of lines('PeriodHardConstraints')) {
    const kind = cells[1]?.toUpperCase() ?? ''
    const list = Object.hasOwn(pairs, kind) ? pairs[kind] : undefined
    if (!list) throw new FormatError(`"${cells[1]}" is no constraint of periods`, line)
    const [a, b] = [known(cells[0], line), known(cells[2], line)]
    if (a !== b || kind === 'AFTER') list.push([a, b])
  }
  // What is not weighed costs nothing.
  const weight = (name: string, at = 1): number => {
    const found = lines('InstitutionalWeightings').find(({ cells }) => cells[0]?.toUpperCase() === name)
    return found ? whole(found.cells[at], found.line) : 0
  }
  const days = new Map<string, number>()
  const day = (name: string): number => {
    if (!days.has(name)) days.set(name, days.size)
    return days.get(name)!
  }
  return {
    slots: lines('Periods').map(({ line, cells }, id) => ({
      id,
      day: day(cells[0] ?? ''),
      minutes: whole(cells[2], line),
      penalty: whole(cells[3] || '0', line),
    })),
    halls: lines('Rooms').map(({ line, cells }, id) => ({
      id,
      seats: whole(cells[0], line),
      penalty: whole(cells[1] || '0', line),
    })),
    exams,
    students: [...takes.values()],
    after: pairs.AFTER,
    together: pairs.EXAM_COINCIDENCE,
    apart: pairs.EXCLUSION,
    weights: {
      ...NO_WEIGHTS,
      spread: Array.from({ length: weight('PERIODSPREAD') }, () => 1),
      twoInRow: weight('TWOINAROW'),
      twoInDay: weight('TWOINADAY'),
      mixed: weight('NONMIXEDDURATIONS'),
      early: { exams: weight('FRONTLOAD', 1), slots: weight('FRONTLOAD', 2), weight: weight('FRONTLOAD', 3) },
      slots: 1,
      halls: 1,
    },
  }
}

/** Period and room of each exam, a line each, in order. */
export const writeItc2007 = (placements: readonly ExamPlacement[]): string =>
  placements.map(({ slot, halls }) => `${slot}, ${halls[0]?.hall ?? 0}\r\n`).join('')

/** The inverse of `writeItc2007`, for a problem whose exams are not split. */
export function readItc2007Solution(problem: ExamProblem, text: string): ExamPlacement[] {
  const rows = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(/[\s,]+/).map(Number))
  if (rows.length !== problem.exams.length)
    throw new FormatError(`${rows.length} lines for ${problem.exams.length} exams`)
  return rows.map(([slot, hall], exam) => ({
    slot: slot!,
    halls: [{ hall: hall!, seats: problem.exams[exam]!.size }],
  }))
}
