import { area } from '#kit/contract/index.ts'
import { nationalityGroup } from './groups/group.contract.ts'
import { feeItem } from './items/item.contract.ts'
import { scholarship } from './scholarships/scholarship.contract.ts'

/** What is charged: prices of each academic year in versions, days, fines, scholarships, and the rules that compute from them. */
export const feesArea = area({
  name: 'fees',
  label: ['Fees', 'الرسوم'],
  resources: [feeItem, nationalityGroup, scholarship],
  // Those without data are named like the constraints of the tables that guard them.
  errors: {
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
  },
  tables: {
    fee_versions: ['Versions of payment settings', 'إصدارات إعدادات الرسوم'],
    nationality_group_countries: ['Nationalities of groups', 'جنسيات المجموعات'],
    scholarship_items: ['Items of scholarships', 'بنود المنح'],
    scholarship_grants: ['Granted scholarships', 'المنح الممنوحة'],
  },
})
