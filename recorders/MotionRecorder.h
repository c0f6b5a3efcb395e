// SPDX-License-Identifier: MIT-0
// A recorder of motions for Unreal Engine 5. It follows the engine's manual; nobody has compiled or run it here.
//
// Put it into a module of your project, and add the component to an actor. It writes after physics, once a frame: on a server
// with a fixed frame rate that is once a step.

#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "GameFramework/Actor.h"
#include "HAL/FileManager.h"
#include "Misc/Paths.h"
#include "MotionRecorder.generated.h"

UCLASS(meta = (BlueprintSpawnableComponent))
class UMotionRecorder : public UActorComponent {
	GENERATED_BODY()

public:
	/** The file, in the project's folder Saved. */
	UPROPERTY(EditAnywhere)
	FString FileName = TEXT("server.csv");

	UMotionRecorder() {
		PrimaryComponentTick.bCanEverTick = true;
		PrimaryComponentTick.TickGroup = TG_PostPhysics;
	}

	/** Writes an actor from now on, until it is destroyed or forgotten. The id is its number on the network. */
	UFUNCTION(BlueprintCallable, Category = "Motion")
	void Watch(AActor* Actor, int32 Id, int32 Kind = 0) { Watched.Add(Id, {Actor, Kind}); }

	/** Tells that an actor has been teleported since the last row. */
	UFUNCTION(BlueprintCallable, Category = "Motion")
	void Jump(int32 Id) { Jumped.Add(Id); }

	/** Ends an actor that is not destroyed, as in a pool. */
	UFUNCTION(BlueprintCallable, Category = "Motion")
	void Forget(int32 Id) {
		if (FWatched* It = Watched.Find(Id)) It->Actor = nullptr;
	}

	virtual void BeginPlay() override {
		Super::BeginPlay();
		File.Reset(IFileManager::Get().CreateFileWriter(*(FPaths::ProjectSavedDir() / FileName)));
		Write(TEXT("hand=left\nunit=cm\ntime;id;kind;event;x;y;z;qx;qy;qz;qw\n"));
	}

	virtual void TickComponent(float Delta, ELevelTick Type, FActorComponentTickFunction* Function) override {
		Super::TickComponent(Delta, Type, Function);
		const double Time = GetWorld()->GetTimeSeconds();
		for (auto It = Watched.CreateIterator(); It; ++It) {
			const int32 Id = It.Key();
			const AActor* Actor = It.Value().Actor.Get();
			if (Actor == nullptr) {
				Row(Time, Id, It.Value().Kind, TEXT("end"), TEXT(";;;;;;"));
				Ended.Add(Id);
				Jumped.Remove(Id);
				It.RemoveCurrent();
				continue;
			}
			const bool bJumped = Jumped.Remove(Id) > 0;
			const TCHAR* Happens = Ended.Remove(Id) > 0 ? TEXT("spawn") : bJumped ? TEXT("jump") : TEXT("");
			const FVector P = Actor->GetActorLocation();
			const FQuat Q = Actor->GetActorQuat();
			const FString Pose = FString::Printf(TEXT("%.4f;%.4f;%.4f;%.7f;%.7f;%.7f;%.7f"), P.X, P.Y, P.Z, Q.X, Q.Y, Q.Z, Q.W);
			Row(Time, Id, It.Value().Kind, Happens, Pose);
		}
	}

	virtual void EndPlay(const EEndPlayReason::Type Reason) override {
		File.Reset();
		Super::EndPlay(Reason);
	}

private:
	struct FWatched {
		TWeakObjectPtr<AActor> Actor;
		int32 Kind = 0;
	};

	void Row(double Time, int32 Id, int32 Kind, const TCHAR* Happens, const FString& Pose) {
		Write(FString::Printf(TEXT("%.6f;%d;%d;%s;%s\n"), Time, Id, Kind, Happens, *Pose));
	}

	void Write(const FString& Text) {
		const FTCHARToUTF8 Bytes(*Text);
		if (File) File->Serialize(const_cast<ANSICHAR*>(Bytes.Get()), Bytes.Length());
	}

	TUniquePtr<FArchive> File;
	TMap<int32, FWatched> Watched;
	TSet<int32> Ended;
	TSet<int32> Jumped;
};
