import { demoPart } from '#demo/part.ts'
import { signWhatIsNot } from './sign.server.ts'

/** What control of the demo university has approved is signed. */
export default demoPart(
  ['grade_links', 'grade_link_rows', 'grade_link_records'],
  [
    'registration_marks',
    'registrations',
    'student_terms',
    'student_years',
    'level_results',
    'course_credits',
    'external_transfers',
    'specializations',
    'postgraduates',
  ],
  async (tx) => {
    await signWhatIsNot(tx, {
      cause: 'begin',
      actor_id: null,
      impersonator_id: null,
      reason: 'demo university',
      seal: null,
    })
  },
)
