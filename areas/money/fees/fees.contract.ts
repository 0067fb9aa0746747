import { family, familyCalls, familyFact, householdFact } from './families/family.contract.ts'
import { scholarshipBasis } from './scholarships/basis.contract.ts'
import { area, screen } from '#kit/contract/index.ts'
import { nationalityGroup } from './groups/group.contract.ts'
import { feeItem } from './items/item.contract.ts'
import { grantCalls } from './scholarships/grants.contract.ts'
import { scholarship } from './scholarships/scholarship.contract.ts'
import { settingsCalls } from './settings/settings.contract.ts'

/** What is charged: prices of each academic year in versions, days, fines, scholarships, and the rules that compute from them. */
export const feesArea = area({
  name: 'fees',
  label: ['Fees', 'الرسوم'],
  resources: [feeItem, nationalityGroup, scholarship, family],
  calls: [settingsCalls, grantCalls, familyCalls],
  facts: [familyFact, householdFact],
  basis: [scholarshipBasis],
  screens: [
    screen('/settings/payment', {
      permission: 'access_payment_setting',
      title: ['Payment settings', 'إعدادات الرسوم'],
      menu: { group: 'finance', order: 70, icon: 'adjustments-dollar', setup: true },
    }),
    screen('/settings/year/payment/:id', {
      permission: 'access_payment_setting',
      title: ['Payment settings of a year', 'إعدادات رسوم عام'],
      parent: '/settings/payment',
    }),
    screen('/scholarships', {
      permission: ['access_scholarship', 'access_student'],
      title: ['Scholarships of students', 'منح الطلاب'],
      titleOfType: { 3: ['My scholarships', 'منحي'] },
      menu: {
        group: 'finance',
        groupOfType: { 3: 'money' },
        order: 110,
        icon: 'award',
        block: 'invoices',
        subject: 'scholarships',
      },
    }),
  ],
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
    fee_item_late: [
      'Only what is charged by itself can be of late registration.',
      'لا يكون للتسجيل المتأخر إلا بند يُحتسب تلقائيًا.',
    ],
    fee_item_deposit: [
      'A deposit is a service that is charged by itself, not of late registration.',
      'التأمين من الخدمات، ويُحتسب تلقائيًا، ولا يكون للتسجيل المتأخر.',
    ],
    fee_item_priced: ['The item has prices: it stays what it is.', 'للبند أسعار، فلا يتغير نوعه.'],
    nationality_in_one_group: ['This nationality stands in another group.', 'هذه الجنسية في مجموعة أخرى.'],
    nationality_group_default: ['Another group is for all other nationalities.', 'توجد مجموعة أخرى لبقية الجنسيات.'],
    nationality_group_currency: ['What was charged stays in its currency.', 'تبقى عملة المجموعة كما هي.'],
    nationality_group_needed: [
      'All other nationalities belong to this group: it stays.',
      'تتبع هذه المجموعة بقية الجنسيات، فلا تُحذف.',
    ],
    scholarship_manual_condition: ['What is given by hand has no condition.', 'ما يُمنح يدويًا لا شرط له.'],
    scholarship_condition: [
      'An automatic scholarship says from which value on.',
      'تحدد المنحة التلقائية القيمة التي تبدأ منها.',
    ],
    scholarship_limits: [
      'A GPA lies between 0 and 4, a percentage between 0 and 100, a place is 1 or more.',
      'المعدل بين 0 و4، والنسبة المئوية بين 0 و100، والترتيب 1 أو أكثر.',
    ],
    scholarship_from_to: ['It ends above where it begins.', 'يجب أن تكون النهاية أكبر من البداية.'],
    scholarship_one_of: ['A percentage or an amount, one of them.', 'إما نسبة وإما مبلغ.'],
    scholarship_amount_currency: ['An amount has a currency, a percentage has none.', 'للمبلغ عملة، وليس للنسبة عملة.'],
    fee_no_nationality: ['The nationality is not known.', 'الجنسية غير معروفة.'],
    fee_no_level: ['{item}: the level is not known.', '{item}: المستوى غير معروف.'],
    fee_no_price: ['{item}: there is no price.', '{item}: لا يوجد سعر.'],
    fee_no_price_for_level: ['{item}: there is no price for level {level}.', '{item}: لا يوجد سعر للمستوى {level}.'],
    fee_no_price_in_currency: ['{item}: there is no price in {currency}.', '{item}: لا يوجد سعر بعملة {currency}.'],
    fee_no_price_for_nationality: ['{item}: there is no price for the nationality.', '{item}: لا يوجد سعر للجنسية.'],
    fee_nothing_priced: ['Nothing is priced for the program of the student.', 'لا توجد أسعار لبرنامج الطالب.'],
    fee_item_unknown: ['There is no price of the item {item_id} in this year.', 'لا سعر للبند {item_id} في هذا العام.'],
    fee_two_currencies: ['An invoice has one currency, not {currencies}.', 'للفاتورة عملة واحدة، لا {currencies}.'],
    fee_prices_equal: [
      '{item}: the prices {rows} are for the same students, and neither is more exact.',
      '{item}: الأسعار {rows} للطلاب أنفسهم وليس أحدها أدق من غيره.',
    ],
    fee_counted_by: ['{item} is not counted by that.', 'لا يُحتسب {item} على هذا الأساس.'],
    fee_of_courses: [
      '{item}: only what is counted by hours or courses has a price of some courses.',
      '{item}: لا سعر لمقررات بعينها إلا لما يُحتسب بالساعات أو المقررات.',
    ],
    fee_flat_hours: [
      '{item}: only what is counted by hours costs the same for some number of them.',
      '{item}: لا سعر موحد لعدد من الساعات إلا لما يُحتسب بالساعات.',
    ],
    fee_flat_order: ['{item}: the band ends before it begins.', '{item}: تنتهي الشريحة قبل أن تبدأ.'],
    fee_price_for_nobody: [
      '{item}: the program, the bylaw and the faculty do not belong together.',
      '{item}: البرنامج واللائحة والكلية لا تتبع بعضها بعضًا.',
    ],
    fee_price_there: [
      '{item}: there is a price for the same students already, and neither is more exact.',
      '{item}: يوجد سعر للطلاب أنفسهم وليس أحدهما أدق من الآخر.',
    ],
    fee_row_unknown: ['The row {id} is not there any more.', 'السطر {id} لم يعد موجودًا.'],
    fee_item_of_type: ['This item is of another type.', 'هذا البند من نوع آخر.'],
    fee_account_twice: ['This account stands here already.', 'هذا الحساب مذكور بالفعل.'],
    fee_bank_currency: ['The account is in another currency.', 'الحساب بعملة أخرى.'],
    fee_due_twice: ['This instalment has a day already.', 'لهذا القسط موعد بالفعل.'],
    fee_instalments_order: ['Instalments are counted from the first.', 'تُرقَّم الأقساط من الأول.'],
    fee_due_order: ['A later instalment is due later.', 'القسط التالي موعده لاحق.'],
    fee_shares_whole: ['The shares make {sum}%, not 100%.', 'مجموع النسب {sum}% وليس 100%.'],
    fee_fine_one_of: ['An amount or a share, one of them.', 'إما مبلغ وإما نسبة.'],
    fee_fine_days_twice: ['There is a step from {days} days on already.', 'توجد درجة تبدأ من {days} يوم بالفعل.'],
    fee_fine_falls: ['From {days} days on it would be less than before.', 'بعد {days} يوم تقل الغرامة عما قبلها.'],
    fee_fine_twice: ['The type has a fine in this currency.', 'للنوع غرامة بهذه العملة.'],
    fee_year_has_prices: ['The year has prices already.', 'للعام أسعار بالفعل.'],
    fee_nothing_to_copy: ['That year has no settings.', 'ليس لذلك العام إعدادات.'],
    scholarship_is_manual: ['It is given by hand.', 'هذه المنحة تُمنح يدويًا.'],
    scholarship_is_automatic: ['It is given by its rule: apply it.', 'تُمنح هذه المنحة بقاعدتها: طبّقها.'],
    scholarship_not_active: ['The scholarship is not active.', 'المنحة غير نشطة.'],
    scholarship_other_year: ['The scholarship is of another year.', 'المنحة لعام آخر.'],
    scholarship_not_for: [
      'The scholarship is for another bylaw, faculty or level.',
      'المنحة للائحة أو كلية أو مستوى آخر.',
    ],
    scholarship_not_studying: ['The student does not study any more.', 'الطالب لم يعد مقيدًا.'],
    scholarship_pays_otherwise: [
      'The scholarship is in {currency} and the student pays in {pays_in}: it would take nothing off.',
      'المنحة بعملة {currency} والطالب يسدد بعملة {pays_in}، فلا تخصم شيئًا.',
    ],
    scholarship_own: ['Nobody decides on the own scholarship.', 'لا يبت أحد في منحة نفسه.'],
    family_of_one: ['A family has two students or more.', 'تتكون الأسرة من طالبين فأكثر.'],
    family_member_once: ['{student} stands in the list twice.', '{student} مذكور مرتين في القائمة.'],
    family_same_person: [
      '{student} is a second record of somebody in the list.',
      '{student} سجل ثانٍ لطالب مذكور في القائمة.',
    ],
    family_own: ['Nobody decides on the own family.', 'لا يبت أحد في شأن أسرته.'],
    family_not_studying: ['{student} does not study any more.', '{student} لم يعد مقيدًا.'],
    family_member_twice: [
      '{student} is of another family: “{family}”. End that one, or take the student out of it.',
      '{student} في أسرة أخرى: «{family}». أنهِ تلك الأسرة أو أخرج الطالب منها.',
    ],
    family_member_elsewhere: ['A student of it is of another family in force.', 'أحد طلابها في أسرة أخرى سارية.'],
    family_ended: ['The family has ended: it stays as it was.', 'انتهت هذه الأسرة، وتبقى كما كانت.'],
    grant_ended: ['This has ended already.', 'انتهت هذه المنحة بالفعل.'],
    grant_kept: ['A granted scholarship keeps its terms.', 'تبقى شروط المنحة الممنوحة كما هي.'],
    grant_twice: ['The student has this scholarship in that time.', 'للطالب هذه المنحة في تلك المدة.'],
    grant_years_order: ['It ends before it begins.', 'تنتهي قبل أن تبدأ.'],
  },
})
