import { area } from '#kit/contract/index.ts'
import * as signIn from './sign-in/sign-in.contract.ts'

const { USER_TYPES: _types, currentUser: _user, ...signInCalls } = signIn

/** People who sign in, their sessions and rights. */
export const accessAndPeople = area({
  name: 'access-and-people',
  label: ['Access and people', 'المستخدمون والصلاحيات'],
  calls: signInCalls,
  errors: {
    no_email: ['This person has no e-mail address. Add one first.', 'لا يوجد بريد إلكتروني لهذا المستخدم. أضفه أولًا.'],
    current_password_wrong: ['The current password is not right.', 'كلمة المرور الحالية غير صحيحة.'],
    own_sessions: ['End your own sessions on your profile.', 'أنهِ جلساتك من صفحة ملفك الشخصي.'],
    person_has_more_rights: ['This person has rights that you do not have.', 'لهذا المستخدم صلاحيات ليست لديك.'],
    already_as_other: [
      'You are already logged in as another person. Leave that session first.',
      'أنت داخل بالفعل كشخص آخر. اخرج من تلك الجلسة أولًا.',
    ],
  },
})
