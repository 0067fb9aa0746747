/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const accessAndPeople = {
  subjects: { role: ['Roles', 'الأدوار', 'university'] },
  rights: {
    access_users: ['List users', 'عرض المستخدمين'],
    add_users: ['Add users', 'إضافة مستخدمين'],
    edit_users: ['Edit users', 'تعديل المستخدمين'],
    edit_photo: ['Change the photo of a person', 'تغيير صورة شخص'],
    user_access_users: ['Set the access of a user', 'ضبط صلاحيات مستخدم'],
    reset_password: ['Send a person a link for a new password', 'إرسال رابط كلمة مرور جديدة لمستخدم'],
    invite_person: ['Invite a person to sign in', 'دعوة شخص لتسجيل الدخول'],
    block_person: ['Block the account of a person who works here', 'إيقاف حساب أحد العاملين'],
    end_sessions: ['Sign a person out everywhere', 'تسجيل خروج مستخدم من كل الأجهزة'],
    remove_second_factor: ['Take away the second factor of a person', 'إلغاء خطوة التحقق الثانية لمستخدم'],
    require_second_factor: ['Demand a second factor of roles', 'اشتراط خطوة تحقق ثانية للأدوار', 'university'],
    set_directories: ['Connect directories that keep accounts', 'ربط أدلة المستخدمين التي تدير الحسابات', 'university'],
    set_single_sign_on: ['Set up single sign-on', 'إعداد الدخول الموحد', 'university'],
    login_as_user: ['Log in as another user', 'الدخول كمستخدم آخر'],
    login_as_student: ['Log in as a student', 'الدخول كطالب'],
    change_as_other: ['Change data while logged in as another person', 'تعديل البيانات أثناء الدخول كشخص آخر'],
    review_rights: ['Review rights', 'مراجعة الصلاحيات'],
    assign_super_admin: ['Assign the super admin role', 'تعيين دور المدير الأعلى', 'university'],
  },
} as const
