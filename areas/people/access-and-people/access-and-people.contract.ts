import { area, screen } from '#kit/contract/index.ts'
import { rightsOfPerson, signInOfPerson } from '#areas/people/people/outlets.contract.ts'
import { delegationCalls } from './delegations/delegation.contract.ts'
import { ownRecordCalls } from './own-records/own-records.contract.ts'
import { passkeyCalls, passkeyErrors, passkeyNotices } from './passkeys/passkey.contract.ts'
import { providerCalls } from './provider/provider.contract.ts'
import { samlCalls } from './saml/saml.contract.ts'
import { directoryCalls } from './scim/scim.contract.ts'
import { secondFactorCalls } from './second-factor/second-factor.contract.ts'
import { lookerCalls } from './lookers/lookers.contract.ts'
import { reviewCalls } from './reviews/review.contract.ts'
import { rightsCalls } from './rights/rights.contract.ts'
import { role, roleCalls } from './roles/role.contract.ts'
import * as signIn from './sign-in/sign-in.contract.ts'
import { user } from './users/user.contract.ts'
import { roleStates } from './owners.contract.ts'

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
  news: true,
  label: ['Access and people', 'المستخدمون والصلاحيات'],
  resources: [user, role],
  owners: [roleStates],
  fills: [rightsOfPerson, signInOfPerson],
  calls: [
    signInCalls,
    ownRecordCalls,
    secondFactorCalls,
    passkeyCalls,
    providerCalls,
    samlCalls,
    directoryCalls,
    delegationCalls,
    rightsCalls,
    roleCalls,
    reviewCalls,
    lookerCalls,
  ],
  screens: [
    screen('/users/access/:id', {
      permission: 'user_access_users',
      title: ['Rights of a user', 'صلاحيات المستخدم'],
      parent: '/users/:id',
    }),
    screen('/settings/user/role/:id', {
      permission: 'user_access_users',
      title: ['Roles of a user', 'أدوار المستخدم'],
      parent: '/users/:id',
    }),
    screen('/settings/rights', {
      permission: 'user_access_users',
      title: ['Who may do what', 'من يملك أي صلاحية'],
      menu: { group: 'settings', order: 31, icon: 'user-question', subject: 'rights' },
    }),
    screen('/settings/rights/reviews', {
      permission: 'review_rights',
      title: ['Reviews of rights', 'مراجعات الصلاحيات'],
      menu: { group: 'settings', order: 32, icon: 'checklist', setup: true },
    }),
    screen('/settings/rights/reviews/:id', {
      permission: 'review_rights',
      title: ['Review of rights', 'مراجعة الصلاحيات'],
      parent: '/settings/rights/reviews',
    }),
    screen('/profile/lookers', {
      permission: 'signed_in',
      title: ['Who looked at my record', 'من اطّلع على سجلي'],
      parent: '/profile',
    }),
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
      menu: { group: 'settings', order: 55, icon: 'shield-lock', setup: true },
    }),
    screen('/settings/directories', {
      permission: 'set_directories',
      title: ['Directories', 'أدلة المستخدمين'],
      menu: { group: 'settings', order: 57, icon: 'users-plus', setup: true },
    }),
    screen('/settings/saml', {
      permission: 'set_single_sign_on',
      title: ['Single sign-on by SAML', 'الدخول الموحد عبر SAML'],
      menu: { group: 'settings', order: 56, icon: 'id-badge-2', setup: true },
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
    notice_app_removed: {
      title: ['The authenticator app was taken off your account', 'أُزيل تطبيق المصادقة من حسابك'],
      audience: [1, 2, 3, 4],
      app: 'always',
      mail: 'always',
    },
    ...passkeyNotices,
    notice_recovery_code_used: {
      title: ['A recovery code was used', 'استُخدم رمز استرداد'],
      audience: [1, 2, 3, 4],
      app: 'always',
      mail: 'always',
    },
    notice_right_revoked: {
      title: ['A right taken in a review', 'سحب صلاحية بعد المراجعة'],
      audience: [1, 2],
      app: 'always',
      mail: 'now',
    },
    notice_review_open: {
      title: ['A review of rights that is not finished', 'مراجعة صلاحيات لم تكتمل'],
      audience: [1, 2],
      app: 'always',
      mail: 'now',
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
    record_blocked: ['This record is blocked. Ask student affairs.', 'هذا السجل موقوف. راجع شؤون الطلاب.'],
    no_email: ['This person has no e-mail address. Add one first.', 'لا يوجد بريد إلكتروني لهذا المستخدم. أضفه أولًا.'],
    current_password_wrong: ['The current password is not right.', 'كلمة المرور الحالية غير صحيحة.'],
    name_of_record: [
      'This person studies or teaches. Change the name in the record: papers bear it.',
      'هذا الشخص طالب أو عضو هيئة تدريس. عدّل الاسم في سجله لأنه يظهر في الوثائق.',
    ],
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
    ...passkeyErrors,
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
    saml_signature: [
      'The answer of the provider is not signed by it as it must be. Begin again, and tell the administration if it stays so.',
      'رد مزود الهوية غير موقّع منه كما يجب. ابدأ من جديد، وأبلغ الإدارة إن تكرر ذلك.',
    ],
    saml_replayed: [
      'This answer of the provider was used already. Begin again.',
      'استُخدم رد مزود الهوية هذا من قبل. ابدأ من جديد.',
    ],
    saml_elsewhere: [
      'The answer of the provider is meant for another site. Begin again here, and tell the administration if it stays so.',
      'رد مزود الهوية موجّه إلى موقع آخر. ابدأ من هنا من جديد، وأبلغ الإدارة إن تكرر ذلك.',
    ],
    saml_unnamed: [
      'The provider did not say for certain who you are ({attribute}). Tell the administration.',
      'لم يحدد مزود الهوية شخصيتك على وجه اليقين ({attribute}). أبلغ الإدارة.',
    ],
    saml_transient: [
      'The provider calls you by a name that changes each time. Tell the administration: another attribute has to be chosen.',
      'يسميك مزود الهوية باسم يتغير في كل مرة. أبلغ الإدارة لتختار خاصية أخرى.',
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
    scim_token: [
      'The token is not known, over, or revoked. An administrator makes a new one.',
      'الرمز غير معروف أو منتهٍ أو ملغى. يصدر مسؤول النظام رمزًا جديدًا.',
    ],
    scim_unique: [
      'Another account has this name or address, or it is not for this directory.',
      'لحساب آخر هذا الاسم أو العنوان، أو أنه خارج نطاق هذا الدليل.',
    ],
    scim_super: ['No directory changes an account that may do everything.', 'لا يعدّل أي دليل حسابًا يملك كل الصلاحيات.'],
    scim_maker: [
      'Who made this token has no account any more. Somebody else makes a new one.',
      'لم يعد لمن أصدر هذا الرمز حساب. يصدر شخص آخر رمزًا جديدًا.',
    ],
    directory_role: ['This role is never given by a directory.', 'هذا الدور لا يُمنح عن طريق دليل المستخدمين أبدًا.'],
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
    right_reach_unknown: [
      '“{right}” cannot be given so far: it reaches {known}. Choose one of these.',
      'لا يمكن منح «{right}» بهذا النطاق، فنطاقها: {known}. اختر واحدًا مما سبق.',
    ],
    right_not_held: [
      'You cannot give what you do not hold yourself as far and for as long: {rights}',
      'لا يمكنك منح ما لا تملكه أنت بالنطاق والمدة نفسيهما: {rights}',
    ],
    right_not_yours_to_take: [
      'You cannot take what you do not hold yourself as far and for as long: {rights}',
      'لا يمكنك سحب ما لا تملكه أنت بالنطاق والمدة نفسيهما: {rights}',
    ],
    access_not_staff: [
      'Only people who work here are given rights. Students and applicants have those of their own record.',
      'لا تُمنح الصلاحيات إلا للعاملين. للطلاب والمتقدمين صلاحيات سجلاتهم فقط.',
    ],
    own_rights_grow: [
      'Nobody gives rights to himself or herself. Ask a colleague.',
      'لا يمنح أحد نفسه صلاحيات. اطلب ذلك من زميل.',
    ],
    own_last_right: [
      'You would lose your last right to manage rights. Somebody else has to take it.',
      'ستفقد آخر صلاحية لك في إدارة الصلاحيات. يجب أن يسحبها شخص آخر.',
    ],
    last_super_admin: [
      'Nobody would be left who may do everything. Make somebody else a super admin first.',
      'لن يبقى من يملك كل الصلاحيات. عيّن مديرًا أعلى آخر أولًا.',
    ],
    access_backwards: ['The last day lies before the first.', 'آخر يوم يسبق أول يوم.'],
    access_over: ['The last day is over already.', 'آخر يوم مضى بالفعل.'],
    access_twice: ['This is given already from the same day.', 'هذا ممنوح بالفعل من اليوم نفسه.'],
    access_changed: [
      'Somebody has changed the rights of this person meanwhile. Look at them again.',
      'غيّر شخص آخر صلاحيات هذا المستخدم في هذه الأثناء. راجعها من جديد.',
    ],
    part_unknown: ['There is no such part of the university.', 'لا يوجد هذا النطاق في الجامعة.'],
    role_unknown: ['There is no such role, or it was removed.', 'لا يوجد هذا الدور أو أنه محذوف.'],
    role_held: [
      'Held by {count} people. Choose what they get instead.',
      'يحمل هذا الدور {count} من المستخدمين. اختر ما يُمنح لهم بدلًا منه.',
    ],
    role_of_groups: [
      'Groups of a directory give this role: {groups}. Choose what they give instead.',
      'تمنح مجموعات من الدليل هذا الدور: {groups}. اختر ما تمنحه بدلًا منه.',
    ],
    role_of_folders: [
      '{count} folders of the archive are open to this role. Choose to whom they are open instead.',
      '{count} من مجلدات الأرشيف متاحة لهذا الدور. اختر من تُتاح له بدلًا منه.',
    ],
    role_itself: ['Choose another role than this one.', 'اختر دورًا غير هذا الدور.'],
    role_no_successor: [
      'This role is not given to people. Choose another one.',
      'هذا الدور لا يُمنح للمستخدمين. اختر دورًا آخر.',
    ],
    role_not_held: ['Nobody holds this role: remove it.', 'لا يحمل أحد هذا الدور، فيمكن حذفه مباشرةً.'],
    role_needed: [
      'The program needs this role. Change its rights instead.',
      'النظام يحتاج إلى هذا الدور. عدّل صلاحياته بدلًا من حذفه.',
    ],
    right_unknown: ['There is no right {right}.', 'لا توجد صلاحية باسم {right}.'],
    right_twice: ['The right {right} stands there twice.', 'الصلاحية {right} مكررة.'],
    review_closed: ['This review is closed.', 'هذه المراجعة مغلقة.'],
    review_decided: ['This was decided already, or the right is gone.', 'بُتَّ في هذا بالفعل أو لم تعد الصلاحية ممنوحة.'],
    review_own: ['Nobody reviews the own rights.', 'لا يراجع أحد صلاحياته.'],
    review_day: ['The last day has to lie ahead.', 'يجب أن يكون آخر يوم في المستقبل.'],
    already_as_other: [
      'You are already logged in as another person. Leave that session first.',
      'أنت داخل بالفعل كشخص آخر. اخرج من تلك الجلسة أولًا.',
    ],
  },
})
