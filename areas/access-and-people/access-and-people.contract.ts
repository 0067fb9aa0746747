import { area, screen } from '#kit/contract/index.ts'
import { delegationCalls } from './delegations/delegation.contract.ts'
import { providerCalls } from './provider/provider.contract.ts'
import { secondFactorCalls } from './second-factor/second-factor.contract.ts'
import * as signIn from './sign-in/sign-in.contract.ts'

const {
  USER_TYPES: _types,
  currentUser: _user,
  signedIn: _in,
  firstStep: _step,
  person: _person,
  ...signInCalls
} = signIn

/** People who sign in, their sessions and rights. */
export const accessAndPeople = area({
  name: 'access-and-people',
  label: ['Access and people', 'المستخدمون والصلاحيات'],
  calls: [signInCalls, secondFactorCalls, providerCalls, delegationCalls],
  screens: [
    screen('/profile/delegations', {
      permission: 'signed_in',
      title: ['Standing in', 'الإنابة والتفويض'],
      parent: '/profile',
    }),
    screen('/profile/sign-in', {
      permission: 'signed_in',
      title: ['How I sign in', 'طرق تسجيل دخولي'],
      parent: '/profile',
    }),
    screen('/settings/second-factor', {
      permission: 'require_second_factor',
      title: ['Second factor by role', 'خطوة التحقق الثانية حسب الدور'],
      menu: { group: 'settings', order: 55, icon: 'shield-lock' },
    }),
  ],
  notices: {
    notice_second_factor_on: {
      title: ['Your second factor is set up', 'تم إعداد خطوة التحقق الثانية'],
      audience: [1, 2, 3, 4],
      app: 'always',
      mail: 'always',
    },
    notice_identity_linked: {
      title: ['Single sign-on is linked to your account', 'رُبط الدخول الموحد بحسابك'],
      audience: [1, 2, 3, 4],
      app: 'always',
      mail: 'always',
    },
    notice_second_factor_off: {
      title: ['Your second factor was taken away', 'أُلغيت خطوة التحقق الثانية'],
      audience: [1, 2, 3, 4],
      app: 'always',
      mail: 'always',
    },
    notice_recovery_code_used: {
      title: ['A recovery code was used', 'استُخدم رمز استرداد'],
      audience: [1, 2, 3, 4],
      app: 'always',
      mail: 'always',
    },
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
    code_wrong: [
      'This code is not right. Look at the app again: it shows a new one every half minute.',
      'هذا الرمز غير صحيح. انظر في التطبيق من جديد، فهو يعرض رمزًا جديدًا كل نصف دقيقة.',
    ],
    code_used: ['This code was used already. Wait for the next one.', 'استُخدم هذا الرمز من قبل. انتظر الرمز التالي.'],
    code_clock: [
      'The clock of your phone is about {minutes} min off. Let the phone set its time by itself, and take the next code.',
      'ساعة هاتفك منحرفة بنحو {minutes} دقيقة. اضبط الوقت في الهاتف على التلقائي ثم أدخل الرمز التالي.',
    ],
    recovery_code_wrong: [
      'This is not one of your recovery codes, or it was used already.',
      'هذا ليس من رموز الاسترداد الخاصة بك، أو استُخدم من قبل.',
    ],
    sign_in_step_over: [
      'This took too long, or it was used already. Sign in again.',
      'انتهت المهلة أو استُخدمت هذه الخطوة من قبل. سجّل الدخول من جديد.',
    ],
    second_factor_setup_first: [
      'Begin with the QR code: nothing waits for a code.',
      'ابدأ برمز الاستجابة السريعة، فلا إعداد ينتظر رمزًا.',
    ],
    no_second_factor: ['This account has no second factor.', 'ليس لهذا الحساب خطوة تحقق ثانية.'],
    second_factor_demanded: [
      'One of your roles demands a second factor. You can set it up anew, and not take it away.',
      'أحد أدوارك يشترط خطوة تحقق ثانية. يمكنك إعدادها من جديد، لا إلغاؤها.',
    ],
    own_second_factor: [
      'Change your own second factor on your profile.',
      'عدّل خطوة التحقق الثانية لحسابك من ملفك الشخصي.',
    ],
    provider_missing: ['Single sign-on is not set up here.', 'الدخول الموحد غير مفعّل هنا.'],
    provider_away: [
      'The provider of single sign-on does not answer. Sign in with your password, or try again later.',
      'مزود الدخول الموحد لا يستجيب. سجّل الدخول بكلمة المرور أو حاول لاحقًا.',
    ],
    provider_state: [
      'This sign-in did not begin in this browser, took too long, or was finished already. Begin again.',
      'لم تبدأ عملية الدخول هذه في هذا المتصفح، أو انتهت مهلتها، أو اكتملت من قبل. ابدأ من جديد.',
    ],
    provider_denied: ['You did not allow the sign-in at the provider.', 'لم توافق على الدخول لدى مزود الهوية.'],
    provider_refused: [
      'The provider refused the sign-in. Tell the administration if it stays so.',
      'رفض مزود الهوية الدخول. أبلغ الإدارة إن تكرر ذلك.',
    ],
    provider_code_used: [
      'The provider takes this sign-in no more: it was used already or is too old. Begin again.',
      'لم يعد مزود الهوية يقبل عملية الدخول هذه، فقد استُخدمت أو انتهت مهلتها. ابدأ من جديد.',
    ],
    provider_clock: [
      'The clocks of the university and of the provider differ. Tell the administration.',
      'ساعة الجامعة وساعة مزود الهوية مختلفتان. أبلغ الإدارة.',
    ],
    provider_answer: [
      'The answer of the provider does not belong to this sign-in. Begin again, and tell the administration if it stays so.',
      'رد مزود الهوية لا يخص عملية الدخول هذه. ابدأ من جديد، وأبلغ الإدارة إن تكرر ذلك.',
    ],
    provider_entry: [
      'Accounts of your kind sign in with their password, not by single sign-on.',
      'حسابات فئتك تدخل بكلمة المرور لا بالدخول الموحد.',
    ],
    identity_unknown: [
      'No account is linked to this identity. Sign in with your password, and link it on your profile.',
      'لا حساب مرتبط بهذه الهوية. سجّل الدخول بكلمة المرور ثم اربطها من ملفك الشخصي.',
    ],
    identity_taken: ['This identity belongs to another account.', 'هذه الهوية مرتبطة بحساب آخر.'],
    identity_second: [
      'Another identity of this provider is linked to this account. Take that one off first.',
      'بهذا الحساب هوية أخرى مرتبطة من المزود نفسه. فكّ ربطها أولًا.',
    ],
    identity_only_way: [
      'You have no password: this is the only way into your account. Set a password first.',
      'ليست لك كلمة مرور، وهذه طريق دخولك الوحيدة. عيّن كلمة مرور أولًا.',
    ],
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
