import { area, screen } from '#kit/contract/index.ts'
import { delegationCalls } from './delegations/delegation.contract.ts'
import * as signIn from './sign-in/sign-in.contract.ts'

const { USER_TYPES: _types, currentUser: _user, ...signInCalls } = signIn

/** People who sign in, their sessions and rights. */
export const accessAndPeople = area({
  name: 'access-and-people',
  label: ['Access and people', 'المستخدمون والصلاحيات'],
  calls: [signInCalls, delegationCalls],
  screens: [
    screen('/profile/delegations', {
      permission: 'signed_in',
      title: ['Standing in', 'الإنابة والتفويض'],
      parent: '/profile',
    }),
  ],
  notices: {
    notice_delegated: {
      title: ['Standing in for somebody', 'النيابة عن زميل'],
      audience: [1, 2],
      app: 'always',
      mail: 'now',
    },
    notice_delegation_ended: {
      title: ['The end of standing in', 'انتهاء النيابة'],
      audience: [1, 2],
      app: 'always',
      mail: 'now',
    },
  },
  errors: {
    no_email: ['This person has no e-mail address. Add one first.', 'لا يوجد بريد إلكتروني لهذا المستخدم. أضفه أولًا.'],
    current_password_wrong: ['The current password is not right.', 'كلمة المرور الحالية غير صحيحة.'],
    no_account: [
      'This person has no account yet. Send an invitation first.',
      'لا يوجد حساب لهذا الشخص بعد. أرسل إليه دعوة أولًا.',
    ],
    has_account: [
      'This person signs in already. A new password is asked for on the sign-in page.',
      'هذا الشخص يسجل الدخول بالفعل. تُطلب كلمة مرور جديدة من صفحة الدخول.',
    ],
    account_is_blocked: ['The account is blocked already.', 'الحساب موقوف بالفعل.'],
    account_is_not_blocked: ['The account is not blocked.', 'الحساب غير موقوف.'],
    block_yourself: ['You cannot block your own account.', 'لا يمكنك إيقاف حسابك.'],
    own_sessions: ['End your own sessions on your profile.', 'أنهِ جلساتك من صفحة ملفك الشخصي.'],
    person_has_more_rights: ['This person has rights that you do not have.', 'لهذا المستخدم صلاحيات ليست لديك.'],
    delegate_unknown: ['No member of staff has this e-mail address.', 'لا يوجد أحد من العاملين بهذا البريد الإلكتروني.'],
    delegate_self: ['Choose somebody else than yourself.', 'اختر شخصًا غيرك.'],
    delegation_backwards: ['The last day lies before the first.', 'آخر يوم يسبق أول يوم.'],
    delegation_past: ['The last day is over already.', 'آخر يوم مضى بالفعل.'],
    delegation_long: ['At most {days} days; decide again then.', 'المدة {days} يومًا على الأكثر، ثم تقرر من جديد.'],
    delegation_not_held: [
      'You do not hold these rights, or they cannot be handed on: {keys}',
      'لا تملك هذه الصلاحيات أو لا يجوز تفويضها: {keys}',
    ],
    delegation_over: ['This delegation is not in force.', 'هذا التفويض غير سارٍ.'],
    already_as_other: [
      'You are already logged in as another person. Leave that session first.',
      'أنت داخل بالفعل كشخص آخر. اخرج من تلك الجلسة أولًا.',
    ],
  },
})
