import { BaseEdge, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo } from "react";
import type { FlowEdge as Flow } from "./flow-elements.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A value on its way: a curve, around the boxes that it passes. */
export const FlowEdge = memo(function FlowEdge(props: EdgeProps<Flow>) {
  const { sourceX, sourceY, targetX, targetY, label, markerEnd, data } = props;
  const [direct, middleX, middleY] = getBezierPath(props);
  const between = (data?.waypoints ?? []).map(({ dx, dy }): Point => ({ x: sourceX + dx, y: sourceY + dy }));
  const middle = between[Math.floor(between.length / 2)] ?? { x: middleX, y: middleY };
  const points = [{ x: sourceX, y: sourceY }, ...between, { x: targetX, y: targetY }];
  return (
    <BaseEdge
      path={between.length === 0 ? direct : pathThrough(points)}
      labelX={middle.x}
      labelY={middle.y}
      {...(label !== undefined && { label })}
      {...(markerEnd !== undefined && { markerEnd })}
      labelBgPadding={[4, 2]}
    />
  );
});

/** It leaves and enters each point level, as the direct curve does at its ends. */
function pathThrough([first, ...rest]: readonly Point[]): string {
  if (first === undefined) return "";
  let path = `M${first.x},${first.y}`;
  let at = first;
  for (const point of rest) {
    const half = (point.x - at.x) / 2;
    path += `C${at.x + half},${at.y} ${point.x - half},${point.y} ${point.x},${point.y}`;
    at = point;
  }
  return path;
}
