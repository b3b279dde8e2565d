import { isObjectLiteralExpression, isSpreadAssignment } from 'typescript/unstable/ast/is';
import {
  type Checker,
  type Project,
  type Signature,
  SignatureKind,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync';
import { either, emptyShape, plain, type Shape, scalar, unknownShape } from './reading.ts';

const { Undefined, Null, Void, Never, Object: ObjectType, Intersection } = TypeFlags;
const empty = Undefined | Null | Void | Never;
const texts = TypeFlags.BigIntLike | TypeFlags.ESSymbolLike;

/** Converts compiler types to template shapes; each type is converted once. */
export class TypeShapes {
  readonly #project: Project;
  readonly #checker: Checker;
  readonly #known = new Map<number, Shape>();

  constructor(project: Project) {
    this.#project = project;
    this.#checker = project.checker;
  }

  of(type: Type | undefined): Shape {
    if (!type || type.isErrorType()) return unknownShape;
    const shape = this.#known.get(type.id) ?? this.#make(type);
    this.#known.set(type.id, shape);
    return shape;
  }

  /** Shape of a function's result, awaited. */
  resultOf(type: Type): Shape {
    const signature = this.signatureOf(type);
    return this.#awaited(signature && this.#checker.getReturnTypeOfSignature(signature));
  }

  signatureOf(type: Type): Signature | undefined {
    return this.#checker.getSignaturesOfType(type, SignatureKind.Call)[0];
  }

  isPromise(type: Type): boolean {
    return type.isTypeReference() && type.getSymbol()?.name === 'Promise';
  }

  #awaited(type: Type | undefined): Shape {
    if (type?.isUnionType()) return either((type.getTypes() ?? []).map((member) => this.#awaited(member)));
    if (type?.isTypeReference() && this.isPromise(type)) return this.of(this.#checker.getTypeArguments(type)[0]);
    return this.of(type);
  }

  #make(type: Type): Shape {
    if (type.isUnionType()) return either((type.getTypes() ?? []).map((member) => this.of(member)));
    if (type.flags & empty) return emptyShape;
    if (type.flags & TypeFlags.StringLike) return scalar('string');
    if (type.flags & TypeFlags.NumberLike) return scalar('number');
    if (type.flags & TypeFlags.BooleanLike) return scalar('boolean');
    if (type.flags & texts) return plain;
    if (!(type.flags & (ObjectType | Intersection))) return unknownShape;
    return this.#hasNoMembers(type) ? emptyShape : this.#object(type);
  }

  /** Whether a type has no members at all, like `{}`: either there are no values, or the type is uninformative. */
  #hasNoMembers(type: Type): boolean {
    return this.#checker.getPropertiesOfType(type).length + this.#checker.getIndexInfosOfType(type).length === 0;
  }

  #object(type: Type): Shape {
    const shapesByName = new Map<string, Shape | undefined>();
    const isList = this.#checker.isArrayType(type) || this.#checker.isTupleType(type);
    return {
      kinds: new Set([isList ? 'array' : 'object']),
      get: (name) => {
        if (!shapesByName.has(name)) shapesByName.set(name, this.#property(type, name));
        return shapesByName.get(name);
      },
      item: () => {
        if (!this.#checker.isArrayType(type) && !this.#checker.isTupleType(type)) return unknownShape;
        return either(
          type.isTypeReference() ? this.#checker.getTypeArguments(type).map((argument) => this.of(argument)) : [],
        );
      },
      names: () => this.#checker.getPropertiesOfType(type).map(({ name }) => name),
    };
  }

  #property(type: Type, name: string): Shape | undefined {
    const property = this.#checker.getPropertyOfType(type, name);
    if (property) return this.of(this.#checker.getTypeOfSymbol(property));
    const index = this.#checker.getIndexInfosOfType(type)[0];
    return index ? this.of(index.valueType) : this.#spread(type, name);
  }

  /** A name from `{ title: '', ...values }`, where the members of `values` are unknown: the compiler drops the spread from the type. */
  #spread(type: Type, name: string): Shape | undefined {
    const literal = type.getSymbol()?.valueDeclaration?.resolve(this.#project);
    if (!literal || !isObjectLiteralExpression(literal)) return undefined;
    const spreadShapes = literal.properties
      .filter(isSpreadAssignment)
      .map(({ expression }) => this.of(this.#checker.getTypeAtLocation(expression)).get(name) ?? emptyShape)
      .filter((shape) => shape !== emptyShape);
    return spreadShapes.length > 0 ? either(spreadShapes) : undefined;
  }
}
