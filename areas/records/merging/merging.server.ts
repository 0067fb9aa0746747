import { defineAreaServer } from '#kit/server/http/area.ts'
import { registerMergeable } from '#kit/server/resource/merged.ts'
import { doubleHandlers } from './doubles.server.ts'
import { recordMergeHandlers, tellClosed } from './merge.server.ts'
import { mergingArea } from './merging.contract.ts'
import { twoPeopleHandlers } from './two-people.server.ts'
import { mergingTold } from './merging.told.contract.ts'

// Where the ids of these records stand in addresses.
registerMergeable({
  kind: 'student',
  paths: ['/students/{id}', '/students/Edit/{id}', '/students/dashboard/{id}', '/students/update_notes/{id}'],
  param: 'student_id',
})
registerMergeable({ kind: 'instructor', paths: ['/instructors/{id}'], param: 'instructor_id' })
registerMergeable({ kind: 'user', paths: ['/users/{id}', '/users/access/{id}', '/employees/{id}'], param: 'user_id' })

export const mergingServer = defineAreaServer({
  area: mergingArea,
  told: mergingTold,
  handlers: [recordMergeHandlers, doubleHandlers, twoPeopleHandlers],
  jobs: [tellClosed],
})
