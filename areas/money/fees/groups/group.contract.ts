import { f, lookup } from '#kit/contract/index.ts'
import { CURRENCY_CHOICES } from '../words.contract.ts'

/** Nationalities that pay alike: in which currency, and by which prices. */
export const nationalityGroup = lookup('nationalityGroup', {
  path: '/nationality-groups',
  one: ['Nationality group', 'مجموعة جنسيات'],
  many: ['Nationality groups', 'مجموعات الجنسيات'],
  adding: ['Add nationality group', 'إضافة مجموعة جنسيات'],
  editing: ['Edit nationality group', 'تعديل مجموعة جنسيات'],
  changedBy: 'whole',
  fields: {
    currency: f.choice(['Pays in', 'عملة السداد'], CURRENCY_CHOICES, { required: true, createOnly: true }),
    is_default: f.flag(['For all other nationalities', 'لبقية الجنسيات'], {
      help: ['Nationalities that stand in no group belong to it.', 'تتبعها الجنسيات التي ليست في أي مجموعة.'],
    }),
    countries: f.lookups(['Nationalities', 'الجنسيات'], 'country', {
      through: { table: 'nationality_group_countries', from: 'nationality_group_id', to: 'country_id' },
    }),
  },
  examples: [
    { code: 'ZZ1', name: 'Citizens of neighbours', name_local: 'مواطنو دول الجوار', currency: 'USD', countries: [] },
    { code: 'ZZ2', name: 'Without nationality', name_local: 'عديمو الجنسية', currency: 'EGP', countries: [] },
  ],
  menu: { group: 'finance', order: 95, icon: 'flag', setup: true },
})
