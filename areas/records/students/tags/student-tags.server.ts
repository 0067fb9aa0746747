import { serveTagging } from '#areas/people/tags/tagging.server.ts'
import { students } from '../student/student.server.ts'
import { studentTags } from './student-tags.contract.ts'

export const studentTagHandlers = serveTagging(studentTags, {
  table: 'students',
  joining: 'student_tags',
  from: 'student_id',
  scope: (ctx) => students.scope(ctx, studentTags.permission),
})
