import { demoPart, insertNew } from '#demo/part.ts'
import { OWN_GROUPS, SETTING_NAMES, UNIVERSITY_SETTINGS } from './university.contract.ts'

export default demoPart(['settings'], [], async (tx, demo) => {
  const { name, name_local, short_name } = demo.university
  const certificates = SETTING_NAMES.filter((key) => UNIVERSITY_SETTINGS[key].group in OWN_GROUPS).map((key) => ({
    key,
    value: UNIVERSITY_SETTINGS[key].initial,
    grouping: UNIVERSITY_SETTINGS[key].group,
    public: false,
  }))
  const names = { university_name: name, university_name_local: name_local, university_short_name: short_name }
  await insertNew(tx, 'settings', [
    ...certificates,
    ...Object.entries(names).map(([key, value]) => ({ key, value, grouping: 'identity', public: true })),
    { key: 'refund_limit_egp', value: '5000', grouping: 'payment', public: false },
    { key: 'refund_limit_usd', value: '200', grouping: 'payment', public: false },
    { key: 'early_warning', value: 'true', grouping: 'early_warning', public: false },
    { key: 'hold_results', value: 'true', grouping: 'payment', public: false },
    { key: 'hold_certificates', value: 'true', grouping: 'payment', public: false },
    // Where a provider is set up: `npm start` plays both.
    ...['pay_with_fawry', 'pay_with_credit_card'].map((key) => ({
      key,
      value: 'true',
      grouping: 'payment',
      public: true,
    })),
  ])
})
