import { describe, expect, test } from 'vitest';
import { scheduleError } from '../../../../server/src/rules/apiserver/validate/workloads/cronSchedule';
import { timeZoneErrors } from '../../../../server/src/rules/apiserver/validate/workloads/timeZone';

describe('a schedule', () => {
  test.each([
    '0 4 * * 1-5',
    '*/15 0,12 1 JAN-jun ?',
    '5/20 * * * sun',
    '0 0 1 1 6,',
    '\t0\u00a00 * * *',
    '@midnight',
    '@every 1h30m',
    '@every -1.5s',
  ])('%j is good', schedule => {
    expect(scheduleError(schedule)).toBeUndefined();
  });

  test.each([
    ['0 4 * *', 'expected exactly 5 fields, found 4: [0 4 * *]'],
    ['0 4 * * * *', 'expected exactly 5 fields, found 6: [0 4 * * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['30-10 * * * *', 'beginning of range (30) beyond end of range (10): 30-10'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['*/2/3 * * * *', 'too many slashes: */2/3'],
    ['* * * Mai *', 'failed to parse int from Mai: strconv.Atoi: parsing "Mai": invalid syntax'],
    ['* * L * *', 'failed to parse int from L: strconv.Atoi: parsing "L": invalid syntax'],
    ['@reboot', 'unrecognized descriptor: @reboot'],
    ['@every 1', 'failed to parse duration @every 1: time: missing unit in duration "1"'],
    ['@every 1d', 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'],
    ['TZ=Mars/Base * * * * *', 'provided bad location Mars/Base: unknown time zone Mars/Base'],
    ['CRON_TZ=UTC', 'invalid schedule format: runtime error: slice bounds out of range [:-1]'],
  ])('%j: %s', (schedule, error) => {
    expect(scheduleError(schedule)).toBe(error);
  });
});

describe('a time zone', () => {
  test.each(['Europe/Rome', 'UTC', 'US/Pacific', 'Etc/GMT-14', 'America/Port-au-Prince', 'EST5EDT'])('%s', zone => {
    expect(timeZoneErrors(zone)).toEqual([]);
  });

  test.each([
    'europe/rome',
    'US/PACIFIC',
    'PST',
    'BST',
    'utc',
    '+01:00',
    'UTC+1',
    'Etc/GMT+14',
    'Europe',
    'Europe/Rome ',
    '/UTC',
  ])('%j is not in the database', zone => {
    expect(timeZoneErrors(zone)).toEqual([`unknown time zone ${zone}`]);
  });

  test('must be explicit', () => {
    const explicit = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    expect(timeZoneErrors('Local')).toEqual([explicit]);
    expect(timeZoneErrors('')).toEqual(['timeZone must be nil or non-empty string']);
  });
});
