import { expect, test } from 'vitest'
import { studyProblems } from './study.rules.ts'
import type { Study, StudyFacts } from './study.rules.ts'

const now: Study = { status: 'studying', program_id: 1, level: 1 }
const facts: StudyFacts = { started: false, level_decided: false, levels: [1, 2] }
const against = (next: Partial<Study>, before: Study | null, more: Partial<StudyFacts> = {}) =>
  studyProblems({ ...now, ...next }, before, { ...facts, ...more }).map(({ code, field }) => `${code}@${field}`)

test.each<[string, Partial<Study>, Study | null, Partial<StudyFacts>, string[]]>([
  ['enters', {}, null, {}, []],
  ['enters as somebody who left', { status: 'withdrawn' }, null, {}, ['status_at_entry@status']],
  ['enters in a level that the bylaw does not have', { level: 3 }, null, {}, ['level_not_of_bylaw@level']],
  ['whose bylaw names no levels', { level: 3 }, null, { levels: [] }, []],
  ['moves before the first course', { program_id: 2 }, now, {}, []],
  ['moves later', { program_id: 2 }, now, { started: true }, ['program_by_transfer@program_id']],
  ['rises by hand before results', { level: 2 }, now, {}, []],
  ['rises by hand against results', { level: 2 }, now, { level_decided: true }, ['level_by_results@level']],
  ['stays', {}, now, { level_decided: true, levels: [2] }, []],
])('who %s', (_, next, before, more, expected) => expect(against(next, before, more)).toEqual(expected))
