/* Functions of NESTFUL that take lists and matrices, by the meanings in its `functions.json`. */
import { equalJson, type Json } from "../../../src/base/json.ts";

export const lists = {
  add_n_to_list: (list: number[], n: number) => {
    if (list.length === 0) throw new Error("the list is empty");
    return list.map((item) => item + n);
  },
  calc_dot_product: (a: number[], b: number[]) => total(pairs(a, b).map(([x, y]) => x * y)),
  calc_vector_distances: (a: number[], b: number[]) => pairs(a, b).map(([x, y]) => Math.abs(x - y)),
  schur_product: (a: number[], b: number[]) => pairs(a, b).map(([x, y]) => x * y),
  compute_cumulative_sum: (list: number[]) => {
    let sum = 0;
    return list.map((item) => (sum += item));
  },
  compute_mean: (rows: number[][]) => mean(rows.flat()),
  get_mean: mean,
  contains_value: (list: Json[], value: Json) => list.findIndex((item) => equalJson(item, value)),
  find_first_index: (list: string[], target: string) => list.indexOf(target),
  convert_integer_to_byte_array_and_reverse: (n: number) => new Array<number>(n).fill(0),
  create_identity_matrix: (size: number) =>
    Array.from({ length: size }, (_, row) =>
      Array.from({ length: size }, (_, column) => Number(row === column)),
    ),
  initialize_list: (rows: number, columns: number, value: Json) =>
    Array.from({ length: rows }, () => new Array<Json>(columns).fill(value)),
  disjoint: (a: Json[], b: Json[]) => !a.some((item) => b.some((other) => equalJson(item, other))),
  find_extremes: (list: number[]) => (list.length === 0 ? [] : extremes(list)),
  search_min_max: extremes,
  find_max_for_each_row: (rows: number[][]) => rows.map((row) => Math.max(...row)),
  find_max_in_each_subarray: (rows: number[][]) => rows.map((row) => Math.max(...row)),
  largest_element_in_heap: (heap: number[]) => Math.max(...heap),
  find_nth_smallest: keptMinimum,
  first_k: (list: Json[], k: number) => list.slice(0, k),
  geometric: (a: number, ratio: number, n: number) => Array.from({ length: n }, (_, i) => a * ratio ** i),
  // "random grouping; its result is unspecified": consecutive groups are one of the random ones.
  group_random_subsets: pieces,
  make_lists: pieces,
  split_batch_data: pieces,
  chunked: pieces,
  maxSubarraySum: (list: number[]) => {
    let [best, running] = [Number.NEGATIVE_INFINITY, 0];
    for (const item of list) {
      running = Math.max(item, running + item);
      best = Math.max(best, running);
    }
    return best;
  },
  pad_buffer: (list: number[], n: number) => {
    const padded = list.toReversed();
    while (padded.length % n !== 0) padded.push(0);
    return padded;
  },
  remove_all_duplicates: (list: Json[]) =>
    list.filter((item, i) => list.findIndex((other) => equalJson(item, other)) === i),
  remove_duplicates_using_dictionary: onlyOnce,
  reorder_numbers: (list: number[]) => [
    ...list.filter((item) => item % 2 === 0),
    ...list.filter((item) => item % 2 !== 0),
  ],
  scale_linearly: (list: number[], scale: number) => (scale === 0 ? [] : list.map((item) => item * scale)),
  select_nth_largest: (list: number[], n: number) =>
    list.toSorted((a, b) => Math.abs(b) - Math.abs(a))[n - 1] ?? null,
  square_root_list: (list: number[]) => list.map(Math.sqrt),
  sum_of_elements: total,
  sum_unique_values: (list: number[]) => total(onlyOnce(list)),
  transpose_2d_array: (rows: Json[][]) => (rows[0] ?? []).map((_, i) => rows.map((row) => row[i] as Json)),
};

function pairs(a: readonly number[], b: readonly number[]): [number, number][] {
  return Array.from({ length: Math.min(a.length, b.length) }, (_, i) => [a[i] as number, b[i] as number]);
}

function total(list: readonly number[]): number {
  return list.reduce((sum, item) => sum + item, 0);
}

function mean(list: readonly number[]): number {
  return total(list) / list.length;
}

function extremes(list: readonly number[]): [number, number] {
  return [Math.min(...list), Math.max(...list)];
}

function onlyOnce<Item extends Json>(list: readonly Item[]): Item[] {
  return list.filter((item) => list.filter((other) => equalJson(item, other)).length === 1);
}

function keptMinimum(list: readonly number[], n: number): number {
  const kept = list.slice(0, n);
  for (const item of list.slice(n)) {
    const least = Math.min(...kept);
    if (item < least) kept[kept.indexOf(least)] = item;
  }
  return Math.min(...kept);
}

function pieces(whole: string | Json[], size: number): Json[] {
  const cut: Json[] = [];
  for (let at = 0; at < whole.length; at += size) cut.push(whole.slice(at, at + size));
  return cut;
}
