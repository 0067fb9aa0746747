import { z } from 'zod'
import { call } from '#kit/contract/index.ts'

export const formerNameCalls = {
  formerNames: call('GET', '/students/{id}/former-names', {
    permission: ['show_student_private', 'edit_students', 'access_student'],
    summary: ['Legal names that a student bore before', 'الأسماء القانونية السابقة لطالب'],
    response: z.object({
      data: z.array(z.object({ name: z.string(), name_local: z.string(), until: z.string() })),
    }),
    traced: 'student',
  }),
}
